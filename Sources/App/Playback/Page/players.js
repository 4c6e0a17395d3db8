// What plays: one file, or several tracks side by side on one clock. Both tell of themselves by "change" (playing or not,
// how fast) and "moved" (another time).
import { element, sources } from "./words.js";

class Player extends EventTarget {
  constructor(stage) {
    super();
    this.stage = stage;
  }
  changed() { this.dispatchEvent(new Event("change")); }
  moved() { this.dispatchEvent(new Event("moved")); }
  trouble(text) { this.dispatchEvent(new CustomEvent("trouble", { detail: text })); }
}

/** A file of picture and sound: its own clock. */
export class FilePlayer extends Player {
  constructor(stage, { file, name, poster }) {
    super(stage);
    this.video = element("video", { preload: "metadata", playsInline: true, src: file, "aria-label": name });
    if (poster) this.video.poster = poster;
    this.track = element("track", { kind: "captions", label: "Chat", srclang: "und", src: "chat.vtt" });
    this.video.append(this.track);
    this.listening = new AbortController();
    const { signal } = this.listening;
    for (const name of ["play", "pause", "ended", "ratechange", "volumechange", "durationchange"])
      this.video.addEventListener(name, () => this.changed(), { signal });
    // Whoever waits is told so.
    const wait = isWaiting => () => { stage.toggleAttribute("data-waiting", isWaiting); };
    for (const name of ["loadstart", "waiting", "seeking"]) this.video.addEventListener(name, wait(true), { signal });
    for (const name of ["loadeddata", "playing", "seeked", "canplay", "error", "suspend"])
      this.video.addEventListener(name, wait(false), { signal });
    this.video.addEventListener("ended", () => this.dispatchEvent(new Event("ended")), { signal });
    for (const name of ["timeupdate", "seeked", "seeking", "loadedmetadata"])
      this.video.addEventListener(name, () => this.moved(), { signal });
    this.video.addEventListener("error", () => this.trouble(this.video.error?.code === 4
      ? "The browser cannot play this file, or it is gone." : "The file could not be played to here."), { signal });
    stage.replaceChildren(this.video);
  }
  get time() { return this.wanted ?? this.video.currentTime; }
  set time(seconds) {
    if (this.video.readyState > 0) { this.video.currentTime = seconds; return; }
    // Before anything is known of the file, a time is kept until it can be gone to.
    if (this.wanted === undefined)
      this.video.addEventListener("loadedmetadata", () => {
        const { wanted } = this;
        this.wanted = undefined;
        this.video.currentTime = wanted;
      }, { once: true, signal: this.listening.signal });
    this.wanted = seconds;
    this.moved();
  }
  get duration() { return this.video.duration; }
  get isPaused() { return this.video.paused; }
  get hasCaptions() { return true; }
  play() { return this.video.play(); }
  pause() { this.video.pause(); }
  set rate(rate) { this.video.defaultPlaybackRate = rate; this.video.playbackRate = rate; }
  set volume({ volume, isMuted }) { this.video.volume = volume; this.video.muted = isMuted; }
  set captions(areShown) { this.track.track.mode = areShown ? "showing" : "hidden"; }
  /** Goes on in the same file as it is now: longer. */
  reload(file, time, mustPlay) {
    const { playbackRate } = this.video;
    this.video.src = file;
    this.wanted = undefined;
    this.rate = playbackRate;
    this.time = time;
    if (mustPlay) this.play().catch(() => {});
  }
  close() {
    this.listening.abort();
    this.stage.removeAttribute("data-waiting");
    this.video.pause();
    this.video.removeAttribute("src");
    this.video.load();
    this.stage.replaceChildren();
  }
}

/** Tracks of one or of all, each with its own element, held to one clock. */
export class TracksPlayer extends Player {
  constructor(stage, { tracks, names, duration, chat }) {
    super(stage);
    this.length = duration;
    this.begun = 0; // the time when the clock was last set,
    this.since = null; // and the moment; null while it stands
    this.speed = 1;
    this.grid = element("div", { class: "tiles" });
    this.parts = tracks.map(track => {
      const name = names(track.participant);
      const media = element(track.kind === "video" ? "video" : "audio", {
        preload: "auto", playsInline: true, src: track.file, "aria-label": `${name}, ${sources[track.source]}`,
      });
      media.preservesPitch = true;
      const tile = track.kind === "video"
        ? element("figure", {}, media, element("figcaption", { dir: "auto", textContent: name })) : media;
      media.addEventListener("error", () => { tile.dataset.broken = ""; });
      return { track, media, tile };
    });
    this.grid.append(...this.parts.map(part => part.tile));
    this.empty = element("p", { class: "card", dir: "auto", textContent: [...new Set(tracks.map(t => names(t.participant)))].join(", ") });
    // What a file of picture and sound shows by itself.
    this.caption = element("p", { class: "caption", dir: "auto", "aria-hidden": "true", hidden: true });
    this.chat = chat;
    stage.replaceChildren(this.grid, this.empty, this.caption);
    this.ticking = setInterval(() => this.tick(), 200);
    this.tick();
  }
  get time() {
    if (this.since === null) return this.begun;
    return Math.min(this.duration, this.begun + (performance.now() - this.since) / 1000 * this.speed);
  }
  set time(seconds) {
    this.begun = Math.min(Math.max(0, seconds), this.duration);
    if (this.since !== null) this.since = performance.now();
    for (const part of this.parts) part.mustSeek = true;
    this.tick();
  }
  get duration() { return this.length; }
  set duration(seconds) { this.length = seconds; }
  get isPaused() { return this.since === null; }
  get hasCaptions() { return true; }
  async play() {
    if (this.time >= this.duration) this.begun = 0;
    this.since ??= performance.now();
    this.tick();
    this.changed();
  }
  pause() {
    this.begun = this.time;
    this.since = null;
    this.tick();
    this.changed();
  }
  set rate(rate) {
    this.begun = this.time;
    if (this.since !== null) this.since = performance.now();
    this.speed = rate;
    for (const { media } of this.parts) media.playbackRate = rate;
    this.changed();
  }
  set volume({ volume, isMuted }) {
    for (const { media } of this.parts) { media.volume = volume; media.muted = isMuted; }
    this.changed();
  }
  set captions(areShown) {
    this.showsCaptions = areShown;
    this.tick();
  }
  /** Lines of the chat; as in chat.vtt, each is shown until the next one, at most 5 s. */
  set chat(lines) { this.lines = lines.filter(line => !line.history); }
  showCaption(now) {
    const line = this.showsCaptions ? this.lines.findLast(line => line.at <= now + 0.002) : undefined;
    const isShown = line !== undefined && now < line.at + 5;
    this.caption.hidden = !isShown;
    if (!isShown || this.captioned === line) return;
    this.captioned = line;
    this.caption.replaceChildren(
      ...(line.name ? [element("b", { dir: "auto", textContent: line.name }), " "] : []), element("span", { dir: "auto", textContent: line.text }));
  }
  tick() {
    const now = this.time;
    if (this.since !== null && now >= this.duration) {
      this.begun = this.duration;
      this.since = null;
      this.changed();
    }
    let shown = 0;
    for (const part of this.parts) {
      const { media, track, tile } = part;
      const isThere = now >= track.from && now < (track.to ?? Infinity) && !("broken" in tile.dataset);
      tile.hidden = !isThere && track.kind === "video";
      if (isThere && track.kind === "video") shown += 1;
      if (!isThere || this.since === null) { if (!media.paused) media.pause(); }
      if (isThere && media.readyState > 0) {
        const off = Math.abs(media.currentTime - now);
        if ((part.mustSeek || off > 0.25 * Math.max(1, this.speed)) && !media.seeking) {
          media.currentTime = now;
          part.mustSeek = false;
        }
        if (this.since !== null && media.paused && !media.ended) media.play().catch(() => this.refused());
      }
    }
    this.grid.dataset.count = shown;
    this.grid.style.setProperty("--columns", Math.ceil(Math.sqrt(Math.max(1, shown))));
    this.empty.hidden = shown > 0;
    this.showCaption(now);
    this.moved();
  }
  refused() { if (this.since !== null) { this.pause(); this.trouble("The browser wants a click before it plays sound."); } }
  close() {
    clearInterval(this.ticking);
    for (const { media } of this.parts) {
      media.pause();
      media.removeAttribute("src");
      media.load();
    }
    this.stage.replaceChildren();
  }
}
