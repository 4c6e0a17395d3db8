// swift-format-ignore-file
// Written by recipes/dev/embed-page from the files in Page: change those.

/// The files of the playback page.
enum PageFiles {
    static let all: [(name: String, text: String)] = [
        ("chat.js", #"""
// The chat beside the picture: the line of now is marked and kept in sight; a click on a line goes to its moment.
import { clock, element } from "./words.js";

export class Chat {
  /** @param seek is called with the time of a line that was chosen. */
  constructor(list, empty, seek) {
    this.list = list;
    this.empty = empty;
    this.lines = [];
    this.buttons = [];
    this.leaveAlone = 0;
    list.addEventListener("click", event => {
      const line = this.lines[this.buttons.indexOf(event.target.closest("button"))];
      if (line) seek(line.at);
    });
    list.addEventListener("keydown", event => {
      const index = this.buttons.indexOf(event.target.closest("button"));
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (index < 0 || !step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.buttons[index + step]?.focus();
    });
    // Somebody who reads elsewhere in it is not pulled back for a while.
    for (const name of ["wheel", "touchmove", "pointerdown"])
      list.addEventListener(name, () => { this.leaveAlone = performance.now() + 5000; }, { passive: true });
  }

  show(view) {
    const fresh = view.chat;
    const known = this.lines.length;
    const goesOn = known > 0 && fresh.length >= known && fresh[known - 1].at === this.lines[known - 1].at
      && fresh[known - 1].text === this.lines[known - 1].text;
    if (!goesOn) {
      this.buttons = [];
      this.list.replaceChildren();
      this.current = undefined;
    }
    for (const line of fresh.slice(this.buttons.length)) {
      const button = element("button", { type: "button", tabIndex: -1, class: `line ${line.kind}` },
        element("time", { textContent: line.history ? "before" : clock(line.at) }),
        element("span", { class: "what", dir: "auto" },
          ...(line.name ? [element("b", { dir: "auto", textContent: line.name })] : []),
          element("span", { dir: "auto", textContent: line.text })));
      this.buttons.push(button);
      this.list.append(element("li", {}, button));
    }
    this.lines = fresh;
    this.empty.hidden = fresh.length > 0;
    if (this.current === undefined && this.buttons[0]) this.buttons[0].tabIndex = 0;
  }

  set time(seconds) {
    // The last line that was written by then. A click goes to a line's own moment, which a file knows to the millisecond.
    let low = 0, high = this.lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lines[middle].at <= seconds + 0.002) low = middle + 1; else high = middle;
    }
    const index = low - 1;
    if (index === this.current) return;
    const before = this.buttons[this.current], now = this.buttons[index];
    for (const button of this.buttons.filter(button => button.tabIndex === 0)) button.tabIndex = -1;
    before?.removeAttribute("aria-current");
    (now ?? this.buttons[0])?.setAttribute("tabindex", "0");
    this.current = index;
    if (!now) return;
    now.setAttribute("aria-current", "true");
    if (performance.now() < this.leaveAlone) return;
    const line = now.parentElement;
    const top = line.offsetTop - this.list.offsetTop;
    // Only the list is scrolled, never the page.
    this.list.scrollTo({ top: top - this.list.clientHeight / 2 + line.offsetHeight / 2, behavior: "auto" });
  }
}

"""#),
        ("icon.svg", #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#c8302b"/><path fill="#fff" d="M12 9v14l12-7z"/></svg>

"""#),
        ("index.html", #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Recording</title>
<link rel="icon" href="page/icon.svg">
<link rel="stylesheet" href="page/style.css">
<link rel="stylesheet" href="page/player.css">
<script type="module" src="page/main.js"></script>
</head>
<body>
<header>
  <a id="list" class="icon" aria-label="All recordings" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15.4 4.6 14 3.2 5.2 12l8.8 8.8 1.4-1.4L8 12z"/></svg></a>
  <div class="title">
    <h1 id="room" dir="auto">Recording</h1>
    <p><span id="date"></span> <span id="length"></span></p>
  </div>
  <span id="live" class="chip live" hidden>being recorded</span>
  <a id="verdict" class="chip" href="#about" hidden></a>
</header>
<main>
  <section class="watch" aria-label="Player">
    <div id="player">
      <div id="stage" class="stage"></div>
      <p id="notice" class="notice" role="status" hidden></p>
      <div class="controls" role="group" aria-label="Playback">
        <div id="seekbar" class="seekbar">
          <canvas class="wave" aria-hidden="true"></canvas>
          <input id="seek" class="seek" type="range" min="0" max="1000" value="0" step="any" aria-label="Position">
          <div class="preview" aria-hidden="true" hidden></div>
        </div>
        <div class="bar">
          <button id="play" type="button" class="icon" aria-label="Play"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="to-play" d="M7 4v16l13-8z"/><path class="to-pause" d="M6 4h4v16H6zM14 4h4v16h-4z"/></svg></button>
          <button id="back" type="button" class="icon" aria-label="Back 10 seconds"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5V1L6 6l6 5V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z"/></svg></button>
          <button id="ahead" type="button" class="icon" aria-label="Ahead 10 seconds"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5V1l6 5-6 5V7a6 6 0 1 0 6 6h2a8 8 0 1 1-8-8z"/></svg></button>
          <span class="time"><output id="now">0:00</output><span class="of" aria-hidden="true"> / </span><span id="total">0:00</span></span>
          <button id="newest" type="button" class="text" hidden>Newest moment</button>
          <span class="space"></span>
          <button id="mute" type="button" class="icon" aria-label="Mute" aria-pressed="false"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 9v6h4l6 5V4L7 9z"/><path class="waves" d="M15.5 8.2a5 5 0 0 1 0 7.6M18 5.5a9 9 0 0 1 0 13"/><path class="cross" d="m16 9 6 6m0-6-6 6"/></svg></button>
          <input id="volume" class="volume" type="range" min="0" max="1" step="0.05" value="1" aria-label="Volume">
          <label class="pick"><span class="hidden">Speed</span><select id="speed" aria-label="Speed"></select></label>
          <button id="captions" type="button" class="icon" aria-label="Chat as captions" aria-pressed="false"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v14H3zm2 2v10h14V7zm2 3h4v2H7zm6 0h4v2h-4zm-6 3h6v2H7zm8 0h2v2h-2z"/></svg></button>
          <button id="full" type="button" class="icon" aria-label="Full screen"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z"/></svg></button>
          <button id="keys" type="button" class="icon" aria-label="Keys" aria-haspopup="dialog"><span aria-hidden="true">?</span></button>
        </div>
        <div class="bar second">
          <label class="pick grow">Watch <select id="source"></select></label>
          <label class="pick grow" id="chapter-pick" hidden>Chapter <select id="chapters"></select></label>
        </div>
      </div>
    </div>
    <section class="timeline" aria-label="Who spoke when">
      <div id="people" class="people"></div>
      <p class="legend" aria-hidden="true"><span>here</span><span class="speaking">speaks</span><span class="camera">camera</span><span class="screen">screen</span><span class="gap">missing</span></p>
    </section>
  </section>
  <section class="chat" aria-label="Chat">
    <h2>Chat</h2>
    <ol id="chat" tabindex="-1"></ol>
    <p id="nobody" class="quiet" hidden>Nobody wrote anything.</p>
  </section>
  <section class="about" id="about" aria-label="About the recording">
    <div>
      <h2>What it is worth</h2>
      <p id="grade"></p>
      <ul id="reasons"></ul>
    </div>
    <div>
      <h2>Files</h2>
      <ul id="files" class="files"></ul>
    </div>
  </section>
</main>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <dl id="help-keys"></dl>
  <button id="help-close" type="button" class="text">Close</button>
</dialog>
<noscript><p class="notice">This page needs JavaScript to play the recording.</p></noscript>
</body>
</html>

"""#),
        ("keys.js", #"""
// Keys, and the page that explains them.
import { element } from "./words.js";

export class Keys {
  /** @param actions by name, each with what `bindings` calls it by. */
  constructor(actions, dialog, list) {
    this.dialog = dialog;
    const bindings = [
      [["Space", "k"], "Play or pause", () => actions.toggle()],
      [["j", "l"], "10 seconds back or ahead", key => actions.step(key === "j" ? -10 : 10)],
      [["←", "→"], "5 seconds back or ahead", key => actions.step(key === "←" ? -5 : 5)],
      [["↑", "↓"], "Louder or quieter", key => actions.louder(key === "↑" ? 0.1 : -0.1)],
      [["<", ">"], "Slower or faster", key => actions.faster(key === "<" ? -1 : 1)],
      [["0", "…", "9"], "To that tenth of the recording", key => actions.tenth(Number(key))],
      [["[", "]"], "Chapter before or after", key => actions.chapter(key === "[" ? -1 : 1)],
      [["c"], "Chat as captions", () => actions.captions()],
      [["m"], "Mute", () => actions.mute()],
      [["f"], "Full screen", () => actions.full()],
      [["n"], "Newest moment, while it is recorded", () => actions.newest()],
      [["?"], "These keys", () => this.explain()],
    ];
    this.byKey = new Map(bindings.flatMap(([keys, , act]) =>
      (keys.includes("…") ? [..."0123456789"] : keys).map(key => [key, act])));
    list.append(...bindings.map(([keys, meaning]) =>
      element("div", {}, element("dt", {}, ...keys.map(key => element("kbd", { textContent: key }))), element("dd", { textContent: meaning }))));
    document.addEventListener("keydown", event => this.press(event));
  }

  explain() { if (!this.dialog.open) this.dialog.showModal(); }

  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || this.dialog.open) return;
    const key = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" }[event.key]
      ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const act = this.byKey.get(key);
    const target = event.target instanceof Element ? event.target : document.body;
    // What has the focus keeps the keys that it knows itself.
    if (!act || target.closest("select, textarea") || (key === "Space" && target.closest("button, a, input"))) return;
    if (target.closest("input") && "←→↑↓".includes(key) && target.id !== "seek") return;
    event.preventDefault();
    act(key);
  }
}

"""#),
        ("main.js", #"""
// The page of one recording: reads view.json, and puts player, chat and timeline in step.
import { Chat } from "./chat.js";
import { Keys } from "./keys.js";
import { FilePlayer, TracksPlayer } from "./players.js";
import { SeekBar } from "./seekbar.js";
import { Timeline } from "./timeline.js";
import { clock, element, size, sources, spoken } from "./words.js";

const of = id => document.getElementById(id);
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const sound = { volume: 1, isMuted: false };
let view, player, choice, choices = [], speed = 1, showsCaptions = false, chapter = -1;

const go = seconds => {
  if (!player) return;
  player.time = Math.min(Math.max(0, seconds), length());
  moved();
};
const timeline = new Timeline(of("people"), go);
const seekBar = new SeekBar(of("seekbar"), go);
const chat = new Chat(of("chat"), of("nobody"), go);

/** How long the recording is: so far, while it is made. */
function length() {
  const own = player?.duration;
  const known = view.duration;
  if (!view.isRunning && Number.isFinite(own) && own > 0 && player instanceof FilePlayer) return Math.max(own, 0.001);
  return Math.max(known, 0.001);
}

// What comes.

async function read() {
  const answer = await fetch("view.json", { cache: "no-cache" });
  if (!answer.ok) throw new Error(`the recording cannot be read (${answer.status})`);
  return seconds(await answer.json());
}

/** The same with seconds in place of microseconds. */
function seconds(raw) {
  const second = time => time === null ? null : time / 1e6;
  const span = ([from, to]) => [second(from), second(to)];
  return {
    ...raw, duration: second(raw.duration),
    people: raw.people.map(person => ({
      ...person, stays: person.stays.map(span), speaking: person.speaking.map(span),
      speech: { ...person.speech, time: second(person.speech.time) },
    })),
    tracks: raw.tracks.map(track => ({ ...track, from: second(track.from), to: second(track.to) })),
    chat: raw.chat.map(line => ({ ...line, at: second(line.at) })),
    marks: raw.marks.map(mark => ({ ...mark, at: second(mark.at) })).sort((a, b) => a.at - b.at),
    gaps: raw.gaps.map(gap => ({ ...gap, span: span(gap.span) })),
  };
}

function show(fresh) {
  const before = view;
  view = fresh;
  document.title = `${view.room} · callbot`;
  of("room").textContent = view.room;
  of("date").textContent = new Date(view.origin).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  of("length").textContent = `· ${clock(view.duration)}`;
  of("live").hidden = !view.isRunning;
  of("list").hidden = !view.list;
  if (view.list) of("list").href = view.list;
  showVerdict();
  showFiles();
  chat.show(view);
  offerChoices();
  if (!player && choices.length) choose(choices[0]);
  if (player instanceof TracksPlayer) { player.duration = view.duration; player.chat = view.chat; }
  if (before?.isRunning && !view.isRunning && player) again(player.time, !player.isPaused);
  showLength();
  showChapters();
  of("newest").hidden = !view.isRunning || !player;
  if (!player) notice(view.isRunning ? "Nothing was recorded yet." : "There is nothing to be played in this recording.");
}

function showLength() {
  of("total").textContent = clock(length());
  seekBar.know(view, length());
  timeline.show(view, length());
  moved();
}

function showVerdict() {
  const { grade, reasons, remarks } = view.verdict ?? { reasons: [], remarks: ["There is no report of this recording."] };
  const words = { good: "good", degraded: "degraded", failed: "failed" }[grade] ?? "";
  of("verdict").hidden = !words;
  of("verdict").textContent = words;
  of("verdict").className = `chip ${words}`;
  of("verdict").setAttribute("aria-label", `Verdict: ${words}`);
  of("grade").textContent = {
    good: "Good: all that people sent is there, and can be seen and heard.",
    degraded: "Degraded: something is missing, or shows nothing.", failed: "Failed: nothing of it is there.",
  }[grade] ?? "";
  of("reasons").replaceChildren(...[...reasons, ...remarks, ...(view.end ? [view.end] : [])]
    .map(text => element("li", { dir: "auto", textContent: text })));
}

function showFiles() {
  const listed = new Map(view.downloads.map(file => [file.file, file]));
  for (const { file, name, bytes } of view.renderings) if (!listed.has(file)) listed.set(file, { file, path: name, bytes });
  of("files").replaceChildren(...[...listed.values()].map(file => element("li", {},
    element("a", { href: `${file.file}?download`, download: "", dir: "auto", textContent: file.path }),
    element("span", { class: "quiet", textContent: size(file.bytes) }))));
}

// What can be watched.

function offerChoices() {
  const name = id => view.people.find(person => person.id === id)?.name ?? id;
  const fresh = view.renderings.map(({ file, name }, index) => ({
    key: `file ${name}`, group: "The call", label: name === "call.webm" ? "Everybody" : name,
    file, make: stage => new FilePlayer(stage, { file, name, poster: index === 0 ? view.poster : null }),
  }));
  const tracks = (key, group, label, some) => ({
    key, group, label, tracks: some,
    make: stage => new TracksPlayer(stage, { tracks: some, names: name, duration: view.duration, chat: view.chat }),
  });
  if (view.tracks.length) fresh.push(tracks("tracks", "The call", fresh.length ? "All tracks side by side" : "Everybody", view.tracks));
  for (const person of view.people) {
    const own = view.tracks.filter(track => track.participant === person.id);
    if (!own.length) continue;
    fresh.push(tracks(`person ${person.id}`, "One alone", person.name, own));
    const kinds = [...new Set(own.map(track => track.source))];
    if (kinds.length > 1)
      for (const source of kinds)
        fresh.push(tracks(`person ${person.id} ${source}`, "One alone", `${person.name}: ${sources[source]}`, own.filter(track => track.source === source)));
  }
  const areSame = fresh.length === choices.length && fresh.every((one, index) => one.key === choices[index].key && one.label === choices[index].label);
  choices = fresh;
  const isLonger = choice?.tracks && choices.find(one => one.key === choice.key)?.tracks?.length !== choice.tracks.length;
  if (areSame && !isLonger) return;
  const groups = Map.groupBy(choices, one => one.group);
  of("source").replaceChildren(...[...groups].map(([label, some]) => element("optgroup", { label },
    ...some.map(one => element("option", { value: one.key, textContent: one.label })))));
  const now = choices.find(one => one.key === choice?.key);
  if (now) of("source").value = now.key;
  // A track that came since is played, too.
  if (now && isLonger) choose(now);
}

/** Goes on with what the files have now, where they were not finished. */
function again(time, mustPlay) {
  const now = choices.find(one => one.key === choice.key);
  if (!now) return;
  if (now.file && player instanceof FilePlayer) {
    choice = now;
    player.reload(now.file, time, mustPlay);
  } else {
    player.time = time;
    choose(now);
    if (mustPlay) player.play().catch(() => {});
  }
}

/** At the end of what there was: there is more by now. */
async function catchUp() {
  const at = player;
  while (view.isRunning && player === at && at.video.ended) {
    try { show(await read()); } catch { /* the next time */ }
    if (view.isRunning && view.duration > at.time + 1) return again(at.time, true);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

/** Goes over to another picture or sound of the same moment. */
function choose(next) {
  const time = player?.time ?? startTime();
  const wasPlaying = player && !player.isPaused;
  player?.close();
  choice = next;
  of("source").value = next.key;
  notice();
  player = next.make(of("stage"));
  player.addEventListener("change", changed);
  player.addEventListener("moved", moved);
  if (player instanceof FilePlayer) player.addEventListener("ended", catchUp);
  player.addEventListener("trouble", event => notice(event.detail));
  player.rate = speed;
  player.volume = sound;
  player.captions = showsCaptions;
  if (time > 0) player.time = time;
  if (wasPlaying) player.play().catch(() => {});
  changed();
}

function startTime() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("t");
  return Number(wanted) > 0 ? Number(wanted) : 0;
}

// What is seen of it.

function moved() {
  if (!player || !view) return;
  const time = player.time, all = length();
  of("now").textContent = clock(time);
  const now = view.marks.findLastIndex(mark => mark.at <= time + 0.002);
  const where = now >= 0 ? `, in ${view.marks[now].text}` : "";
  of("seek").setAttribute("aria-valuetext", `${spoken(time)} of ${spoken(all)}${where}`);
  seekBar.time = time;
  timeline.time = time;
  chat.time = time;
  if (now !== chapter) {
    chapter = now;
    of("chapters").value = String(now);
  }
}

function changed() {
  if (!player) return;
  const isPaused = player.isPaused;
  of("play").setAttribute("aria-label", isPaused ? "Play" : "Pause");
  of("player").dataset.playing = !isPaused;
  of("mute").setAttribute("aria-pressed", sound.isMuted);
  of("volume").value = sound.isMuted ? 0 : sound.volume;
  of("captions").disabled = !player.hasCaptions;
  of("captions").setAttribute("aria-pressed", showsCaptions && player.hasCaptions);
  of("speed").value = String(speed);
  showLength();
}

function showChapters() {
  of("chapter-pick").hidden = view.marks.length === 0;
  const options = [element("option", { value: "-1", textContent: "Beginning" }), ...view.marks.map((mark, index) =>
    element("option", { value: String(index), textContent: `${clock(mark.at)}  ${mark.text}` }))];
  if (options.length === of("chapters").options.length) return;
  of("chapters").replaceChildren(...options);
  of("chapters").value = String(chapter);
}

function notice(text) {
  of("notice").hidden = !text;
  of("notice").textContent = text ?? "";
}

// What is asked for.

const actions = {
  toggle() {
    if (!player) return;
    if (player.isPaused) player.play().catch(error => { if (error.name !== "AbortError") notice("It cannot be played: " + error.message); });
    else player.pause();
  },
  step(by) { if (player) go(player.time + by); },
  louder(by) { actions.setVolume(Math.min(1, Math.max(0, (sound.isMuted ? 0 : sound.volume) + by))); },
  setVolume(volume) {
    sound.volume = Math.round(volume * 100) / 100;
    sound.isMuted = sound.volume === 0;
    if (player) player.volume = sound;
    changed();
  },
  mute() {
    sound.isMuted = !sound.isMuted;
    if (!sound.isMuted && sound.volume === 0) sound.volume = 0.5;
    if (player) player.volume = sound;
    changed();
  },
  faster(by) { actions.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(speed) + by))]); },
  setSpeed(next) {
    speed = next;
    if (player) player.rate = speed;
    changed();
  },
  tenth(number) { go(length() * number / 10); },
  chapter(by) {
    const time = player?.time ?? 0;
    const next = by > 0 ? view.marks.find(mark => mark.at > time + 0.01)
      : view.marks.findLast(mark => mark.at < time - 2) ?? { at: 0 };
    if (next) go(next.at);
  },
  captions() {
    showsCaptions = !showsCaptions;
    if (player) player.captions = showsCaptions;
    changed();
  },
  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else of("player").requestFullscreen?.().catch(() => notice("The browser does not allow a full screen here."));
  },
  async newest() {
    if (!view?.isRunning || !player) return;
    try { show(await read()); } catch { return; }
    again(Math.max(0, view.duration - 3), true);
  },
};

of("play").addEventListener("click", actions.toggle);
of("stage").addEventListener("click", actions.toggle);
of("back").addEventListener("click", () => actions.step(-10));
of("ahead").addEventListener("click", () => actions.step(10));
of("newest").addEventListener("click", actions.newest);
of("mute").addEventListener("click", actions.mute);
of("captions").addEventListener("click", actions.captions);
of("full").addEventListener("click", actions.full);
of("volume").addEventListener("input", event => actions.setVolume(Number(event.target.value)));
of("speed").append(...speeds.map(speed => element("option", { value: String(speed), textContent: `${speed}×` })));
of("speed").addEventListener("change", event => actions.setSpeed(Number(event.target.value)));
of("source").addEventListener("change", event => choose(choices.find(one => one.key === event.target.value)));
of("chapters").addEventListener("change", event => go(view.marks[Number(event.target.value)]?.at ?? 0));
const keys = new Keys(actions, of("help"), of("help-keys"));
of("keys").addEventListener("click", () => keys.explain());
of("help-close").addEventListener("click", () => of("help").close());

// While a file plays, what goes along with it moves smoothly.
function frame() {
  if (player && !player.isPaused) moved();
  requestAnimationFrame(frame);
}

async function follow() {
  try {
    show(await read());
    if (!view.isRunning) return;
  } catch (error) {
    if (!view) notice(`Sorry, ${error.message}.`);
  }
  setTimeout(follow, 3000);
}
follow();
requestAnimationFrame(frame);

"""#),
        ("player.css", #"""
main { display: grid; grid-template: "watch chat" auto "about about" auto / minmax(0, 1fr) clamp(280px, 25vw, 400px); gap: 1rem; padding: 0 1.2rem 1.5rem; max-width: 1680px; margin: 0 auto; }
.watch { grid-area: watch; min-width: 0; }
#player { position: relative; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.stage { position: relative; background: #000; aspect-ratio: 16 / 9; max-height: 68vh; width: 100%; cursor: pointer; }
.stage > video { display: block; width: 100%; height: 100%; object-fit: contain; }
.stage video::cue { font-size: 1.05rem; background: rgb(0 0 0 / .75); color: #fff; }
.stage[data-waiting]::after { content: "Loading…"; position: absolute; inset-inline-start: 1rem; bottom: 1rem; padding: .2rem .7rem; border-radius: 6px; background: rgb(20 20 20 / .8); color: #fff; opacity: 0; animation: appear .2s .5s forwards; pointer-events: none; }
@keyframes appear { to { opacity: 1; } }
.tiles { display: grid; grid-template-columns: repeat(var(--columns, 1), minmax(0, 1fr)); grid-auto-rows: minmax(0, 1fr); gap: 4px; height: 100%; }
.tiles figure { position: relative; margin: 0; min-height: 0; }
.tiles video { width: 100%; height: 100%; object-fit: contain; }
.tiles figcaption { position: absolute; inset-inline-start: .4rem; bottom: .4rem; max-width: calc(100% - .8rem); padding: .05rem .45rem; border-radius: 4px; background: rgb(0 0 0 / .65); color: #fff; font-size: .8rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.stage .card { position: absolute; inset: 0; display: grid; place-content: center; padding: 1rem; color: #ddd; font-size: 1.3rem; text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.stage .caption { position: absolute; z-index: 1; inset-inline: 0; bottom: 6%; width: fit-content; max-width: 86%; max-height: 40%; margin: 0 auto; padding: .15rem .6rem; overflow: hidden; background: rgb(0 0 0 / .75); color: #fff; font-size: 1.05rem; text-align: center; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; pointer-events: none; }
.notice { position: absolute; inset-inline: 0; top: 1rem; margin: 0 auto; width: fit-content; max-width: 90%; padding: .5rem .9rem; border-radius: 6px; background: rgb(20 20 20 / .88); color: #fff; }
.controls { padding: .2rem .7rem .5rem; }
.bar { display: flex; align-items: center; gap: .15rem; min-width: 0; }
.bar.second { gap: 1rem; padding-top: .35rem; flex-wrap: wrap; }
.space { flex: 1; }
.time { padding-inline: .4rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.time .of, #total { color: var(--quiet); }
.icon[aria-pressed=true] { color: var(--accent); }
.icon .waves, .icon .cross { fill: none; stroke: currentColor; stroke-width: 2; }
#mute[aria-pressed=true] .waves, #mute[aria-pressed=false] .cross { display: none; }
#player[data-playing=true] .to-play, #player:not([data-playing=true]) .to-pause { display: none; }
#newest { color: var(--failed); border-color: currentColor; }
input[type=range] { accent-color: var(--accent); cursor: pointer; margin: 0; }
.seekbar { position: relative; }
.seekbar .wave { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.seek { position: relative; display: block; width: 100%; height: 24px; touch-action: pan-y; }
.seekbar[data-wave] .seek { height: 44px; }
.preview { position: absolute; z-index: 2; left: 0; bottom: calc(100% + 6px); width: max-content; border-radius: 6px; overflow: hidden; background: rgb(20 20 20 / .92); color: #fff; box-shadow: 0 2px 10px rgb(0 0 0 / .4); pointer-events: none; }
.preview .picture { background-color: #000; background-repeat: no-repeat; margin-inline: auto; }
.preview .words { display: flex; gap: .5rem; justify-content: center; padding: .1rem .5rem; font-size: .85rem; }
.preview .when { font-variant-numeric: tabular-nums; }
.preview .chapter { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.volume { width: 84px; }
.pick { display: flex; align-items: center; gap: .4rem; min-width: 0; color: var(--quiet); font-size: .9rem; }
.pick select { color: var(--text); flex: 1; text-overflow: ellipsis; }
.pick.grow { flex: 1 1 220px; }
#player:fullscreen { display: flex; flex-direction: column; border: 0; border-radius: 0; }
#player:fullscreen .stage { flex: 1; aspect-ratio: auto; max-height: none; min-height: 0; }
.timeline { margin-top: .8rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .4rem .7rem .5rem; max-height: 40vh; overflow-y: auto; }
.timeline:has(> .people[hidden]) { display: none; }
.people { display: grid; grid-template-columns: minmax(0, clamp(96px, 22%, 250px)) minmax(0, 1fr); gap: .7rem; }
.names { list-style: none; margin: 22px 0 0; padding: 0; }
.names li { display: flex; gap: .5rem; height: 26px; line-height: 26px; font-size: .85rem; white-space: nowrap; }
.names .who { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
.names .spoke { flex: none; color: var(--quiet); font-size: .78rem; font-variant-numeric: tabular-nums; }
.area { position: relative; cursor: pointer; touch-action: pan-y; user-select: none; }
.area canvas { display: block; width: 100%; }
.head { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--accent); pointer-events: none; }
.hint { position: absolute; top: -2px; padding: 0 .4rem; border-radius: 4px; background: var(--text); color: var(--page); font-size: .75rem; white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; pointer-events: none; }
.chat { grid-area: chat; position: relative; min-height: 260px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; contain: size; display: flex; flex-direction: column; }
.chat h2 { padding: .6rem .9rem; border-bottom: 1px solid var(--line); }
#chat { list-style: none; margin: 0; padding: .3rem; overflow-y: auto; flex: 1; position: relative; overscroll-behavior: contain; }
#nobody { padding: .9rem; position: absolute; top: 2.6rem; }
.line { display: flex; gap: .6rem; width: 100%; padding: .35rem .6rem; border: 0; border-radius: 6px; background: none; text-align: start; cursor: pointer; }
.line:focus-visible { outline-offset: -3px; }
.line:hover { background: var(--there); }
.line[aria-current] { background: var(--now); box-shadow: inset 3px 0 var(--accent); }
.line time { flex: none; color: var(--quiet); font-size: .8rem; line-height: 1.65; font-variant-numeric: tabular-nums; min-width: 2.6em; }
.line .what { min-width: 0; flex: 1; }
.line b { display: block; font-size: .85rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.line .what > span { display: block; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.line.announcement, .line.alert { font-style: italic; }
.line.alert { color: var(--failed); }
.about { grid-area: about; display: grid; align-items: start; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.about > div { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .7rem .9rem; min-width: 0; }
.about ul { margin: .4rem 0 0; padding-inline-start: 1.1rem; overflow-wrap: anywhere; }
.files { list-style: none; padding: 0 !important; }
.files li { display: flex; justify-content: space-between; gap: 1rem; padding: .1rem 0; }
.files a { overflow-wrap: anywhere; min-width: 0; }
.files span { flex: none; }
dl { margin: .8rem 0; }
dl div { display: flex; gap: 1rem; padding: .2rem 0; }
dt { flex: none; width: 7.5rem; }
dd { margin: 0; }
kbd { display: inline-block; min-width: 1.7em; padding: 0 .4em; margin-inline-end: .25em; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; font: inherit; font-size: .85em; text-align: center; }
@media (max-width: 800px) {
  header { padding: .6rem .8rem; }
  main { grid-template: "watch" auto "chat" auto "about" auto / minmax(0, 1fr); padding: 0 0 1rem; gap: .7rem; }
  #player, .timeline, .chat, .about > div { border-radius: 0; border-inline: 0; }
  .watch { position: relative; }
  .chat { height: 46vh; contain: none; }
  .about { grid-template-columns: minmax(0, 1fr); gap: .7rem; }
  .volume { display: none; }
  .controls { padding-inline: .4rem; }
  .time { padding-inline: .2rem; font-size: .9rem; }
  .icon { width: 36px; }
  .names .long { display: none; }
}
@media (max-width: 420px) {
  #back, #ahead { display: none; }
  #newest { padding-inline: .5rem; font-size: .85rem; }
  .bar.second { gap: .4rem; }
}
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .3rem 0 0; font-size: .78rem; color: var(--quiet); }
.legend span::before { content: ""; display: inline-block; width: 1.1em; height: .6em; margin-inline-end: .4em; background: var(--there); }
.legend .speaking::before { background: var(--speaking); }
.legend .camera::before { background: var(--camera); height: 2px; vertical-align: middle; }
.legend .screen::before { background: var(--screen-share); height: 2px; vertical-align: middle; }
.legend .gap::before { background: repeating-linear-gradient(135deg, var(--gap) 0 1px, transparent 1px 4px); }

"""#),
        ("players.js", #"""
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

"""#),
        ("seekbar.js", #"""
// The seek bar: how loud the call is behind it, and what is at a place of it, before one goes there.
import { clock, element } from "./words.js";

/** Half of the handle, beyond which its middle does not go at both ends. */
const inset = 8;

export class SeekBar {
  /**
   * @param root what holds the input, the canvas behind it and the preview.
   * @param seek is called with the time that is chosen.
   */
  constructor(root, seek) {
    this.root = root;
    this.input = root.querySelector("input");
    this.canvas = root.querySelector("canvas");
    this.preview = root.querySelector(".preview");
    this.picture = element("div", { class: "picture" });
    this.when = element("span", { class: "when" });
    this.chapter = element("span", { class: "chapter", dir: "auto" });
    this.preview.append(this.picture, element("div", { class: "words" }, this.when, this.chapter));
    this.length = 1;
    this.marks = [];
    this.thumbnails = [];
    this.peaks = [];
    this.input.addEventListener("input", () => {
      seek(Number(this.input.value));
      this.show(Number(this.input.value));
    });
    const { input } = this;
    input.addEventListener("pointerdown", event => { this.isHeld = true; this.show(this.timeAt(event)); });
    input.addEventListener("pointermove", event => {
      if (event.pointerType !== "touch" || this.isHeld) this.show(this.timeAt(event));
    });
    for (const name of ["pointerup", "pointercancel"])
      input.addEventListener(name, event => { this.isHeld = false; if (event.pointerType === "touch") this.hide(); });
    input.addEventListener("pointerleave", () => { if (!this.isHeld) this.hide(); });
    // Who comes by keys sees where they are, too, until they go or do not want to.
    input.addEventListener("focus", () => { if (input.matches(":focus-visible")) { this.isFollowing = true; this.show(this.now ?? 0); } });
    input.addEventListener("blur", () => { this.isHeld = false; this.hide(); });
    input.addEventListener("keydown", event => {
      if (event.key === "Escape") this.hide();
      else if (event.key.startsWith("Arrow")) { this.isFollowing = true; this.show(this.now ?? 0); }
    });
    new ResizeObserver(() => this.draw()).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Shows what is known of the call. What there is no file for is left out. */
  know(view, length) {
    this.length = length;
    this.marks = view.marks;
    this.input.max = length;
    if (view.thumbnails !== this.thumbnailFile) {
      this.thumbnailFile = view.thumbnails;
      this.read(view.thumbnails, text => { this.thumbnails = thumbnails(text, view.thumbnails); });
    }
    if (view.waveform !== this.waveformFile) {
      this.waveformFile = view.waveform;
      this.read(view.waveform, text => this.wave(JSON.parse(text)));
    }
  }

  /** Reads a file; without it, all goes on as before. */
  async read(file, take) {
    try {
      const answer = file ? await fetch(file, { cache: "no-cache" }) : null;
      if (answer?.ok) take(await answer.text());
    } catch { /* The call can be watched without. */ }
  }

  wave({ interval, peaks }) {
    if (!(interval > 0) || !Array.isArray(peaks) || !peaks.length) return;
    this.interval = interval / 1e6;
    this.peaks = peaks.map(peak => Math.min(1, Math.max(0, Number(peak) / 255 || 0)));
    this.root.dataset.wave = "";
    this.draw();
  }

  /** The time of now. */
  set time(seconds) {
    this.now = seconds;
    if (document.activeElement !== this.input || !this.input.matches(":active")) this.input.value = seconds;
    if (this.isFollowing && !this.isHeld && !this.preview.hidden && document.activeElement === this.input) this.show(seconds);
    const part = Math.round(this.x(seconds));
    if (part !== this.drawn) this.draw();
  }

  x(seconds) { return inset + Math.min(1, Math.max(0, seconds / this.length)) * (this.root.clientWidth - 2 * inset); }

  timeAt(event) {
    const box = this.input.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left - inset) / (box.width - 2 * inset))) * this.length;
  }

  // What is at a place.

  show(seconds) {
    const thumbnail = this.thumbnails.find(({ from, to }) => seconds >= from && seconds < to) ?? this.thumbnails.at(-1);
    this.picture.hidden = !thumbnail;
    if (thumbnail) {
      const { file, x, y, width, height } = thumbnail;
      Object.assign(this.picture.style, {
        width: `${width}px`, height: `${height}px`, backgroundImage: `url("${file}")`, backgroundPosition: `-${x}px -${y}px`,
      });
    }
    this.when.textContent = clock(seconds);
    const mark = this.marks.findLast(mark => mark.at <= seconds + 0.002);
    this.chapter.textContent = mark?.text ?? "";
    this.chapter.hidden = !mark;
    this.preview.style.maxWidth = `${Math.max(thumbnail?.width ?? 0, 160)}px`;
    this.preview.hidden = false;
    const half = this.preview.offsetWidth / 2, width = this.root.clientWidth;
    const at = Math.min(width - half, Math.max(half, this.x(seconds)));
    this.preview.style.transform = `translateX(${Math.round(at - half)}px)`;
  }

  hide() {
    this.isFollowing = false;
    this.preview.hidden = true;
  }

  // How loud it is.

  draw() {
    const { canvas } = this, width = this.root.clientWidth, height = this.root.clientHeight;
    this.drawn = Math.round(this.x(this.now ?? 0));
    if (!this.peaks.length || !width) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    const wide = Math.round(width * scale), tall = Math.round(height * scale);
    if (canvas.width !== wide || canvas.height !== tall) Object.assign(canvas, { width: wide, height: tall });
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.root);
    const [past, rest] = ["wave-past", "wave"].map(name => style.getPropertyValue(`--${name}`).trim());
    const step = 3;
    for (let left = inset; left < width - inset; left += step) {
      const index = x => Math.floor((x - inset) / (width - 2 * inset) * this.length / this.interval);
      let peak = 0;
      for (let at = index(left); at <= Math.max(index(left), index(left + step) - 1); at += 1) peak = Math.max(peak, this.peaks[at] ?? 0);
      // What is half as loud to the ear is a tenth of the pressure.
      const size = Math.max(1, Math.sqrt(peak) * (height - 2));
      pen.fillStyle = left < this.drawn ? past : rest;
      pen.fillRect(left, (height - size) / 2, step - 1, size);
    }
  }
}

/** The cues of a WebVTT file of thumbnails: from when until when which region of which file, beside it. */
export function thumbnails(text, place) {
  const seconds = stamp => stamp.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const cue = /^([\d:.]+) --> ([\d:.]+)\n([\w.-]+\.jpg)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;
  const folder = place.slice(0, place.lastIndexOf("/") + 1);
  return [...text.replaceAll("\r", "").matchAll(cue)].map(([, from, to, file, ...region]) => {
    const [x, y, width, height] = region.map(Number);
    return { from: seconds(from), to: seconds(to), file: folder + file, x, y, width, height };
  });
}

"""#),
        ("style.css", #"""
:root {
  color-scheme: light dark;
  --page: #f6f6f4; --panel: #ffffff; --line: #dcdcd8; --text: #1b1c1e; --quiet: #60646b; --accent: #b3261e;
  --there: #d5dae3; --speaking: #2f6fde; --camera: #6a7f9c; --screen-share: #14866d; --gap: #c0362c; --mark: #8a5a00;
  --now: #fdeceb; --good: #1d6b3a; --good-back: #dff2e5; --degraded: #7a4d00; --degraded-back: #fbeccb;
  --failed: #a11b14; --failed-back: #fbdfdc; --focus: #1556c9;
  --wave: #60646b61; --wave-past: #b3261e80;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131416; --panel: #1c1e21; --line: #33363b; --text: #ebecee; --quiet: #a2a7af; --accent: #ff7b70;
    --there: #343a44; --speaking: #6aa2ff; --camera: #8093ad; --screen-share: #3fc3a0; --gap: #ff7b6e; --mark: #ecb95a;
    --now: #3a2524; --good: #8fdcaa; --good-back: #173624; --degraded: #f3cb7d; --degraded-back: #3d2f12;
    --failed: #ffaaa3; --failed-back: #451d1a; --focus: #8ab4ff;
    --wave: #a2a7af61; --wave-past: #ff7b7080;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
h1, h2, p { margin: 0; }
h1 { font-size: 1.15rem; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; }
h2 { font-size: .95rem; }
a { color: inherit; }
.quiet, header p { color: var(--quiet); }
header { display: flex; align-items: center; gap: .6rem; padding: .7rem 1.2rem; max-width: 1680px; margin: 0 auto; }
.title { flex: 1; min-width: 0; }
header p { font-size: .85rem; }
.chip { flex: none; padding: .15rem .7rem; border-radius: 1rem; font-size: .85rem; font-weight: 600; text-decoration: none; background: var(--there); }
.chip.good { color: var(--good); background: var(--good-back); }
.chip.degraded { color: var(--degraded); background: var(--degraded-back); }
.chip.failed { color: var(--failed); background: var(--failed-back); }
.chip.live { color: var(--failed); background: var(--failed-back); }
.chip.live::before { content: "● "; }
button { font: inherit; color: inherit; }
.icon { flex: none; display: grid; place-content: center; width: 40px; height: 40px; padding: 0; border: 0; border-radius: 8px; background: none; cursor: pointer; font-weight: 700; font-size: 1.05rem; }
.icon:hover:not(:disabled), .text:hover { background: var(--there); }
.icon:disabled { opacity: .35; cursor: default; }
.icon svg { width: 24px; height: 24px; fill: currentColor; }
.text { padding: .35rem .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); cursor: pointer; }
select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .3rem .4rem; min-width: 0; max-width: 100%; height: 36px; }
dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--panel); color: var(--text); padding: 1.2rem 1.4rem; width: min(30rem, calc(100vw - 2rem)); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
@media (prefers-reduced-motion: reduce) { * { scroll-behavior: auto !important; transition: none !important; } }

"""#),
        ("timeline.js", #"""
// Who was there and who spoke when: a row a person, on one time axis, with marks and gaps.
import { clock, element, spoken } from "./words.js";

const rowHeight = 26;
const rulerHeight = 22;

export class Timeline {
  /** @param seek is called with the time of a place that was clicked. */
  constructor(root, seek) {
    this.root = root;
    this.names = element("ol", { class: "names" });
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.head = element("div", { class: "head" });
    this.hint = element("div", { class: "hint", hidden: true });
    this.area = element("div", { class: "area" }, this.canvas, this.head, this.hint);
    root.append(this.names, this.area);
    const time = event => {
      const box = this.canvas.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.duration;
    };
    this.area.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      this.area.setPointerCapture(event.pointerId);
      seek(time(event));
      this.isDragging = true;
    });
    this.area.addEventListener("pointermove", event => {
      if (this.isDragging) seek(time(event));
      const box = this.area.getBoundingClientRect();
      this.hint.hidden = event.pointerType === "touch";
      this.hint.textContent = this.describe(time(event), event.clientY - box.top);
      const at = Math.min(box.width - this.hint.offsetWidth, Math.max(0, event.clientX - box.left + 8));
      this.hint.style.transform = `translate(${at}px, 0)`;
    });
    for (const name of ["pointerup", "pointercancel"])
      this.area.addEventListener(name, () => { this.isDragging = false; });
    this.area.addEventListener("pointerleave", () => { this.hint.hidden = true; });
    new ResizeObserver(() => this.draw()).observe(this.area);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(view, duration) {
    this.view = view;
    this.duration = duration;
    const owners = new Map(view.tracks.map(track => [track.track, track.participant]));
    this.rows = view.people.map(person => ({
      ...person, tracks: view.tracks.filter(track => track.participant === person.id),
      gaps: view.gaps.filter(gap => gap.track !== null && owners.get(gap.track) === person.id),
    }));
    this.names.replaceChildren(...this.rows.map(row => {
      const { time, share, turns } = row.speech;
      const percent = `${Math.round(share * 100)} %`;
      const often = turns === 1 ? "once" : `${turns} times`;
      const said = time > 0 ? `${row.name}, spoke ${often}, for ${spoken(time)}, ${percent}` : row.name;
      return element("li", { title: said, "aria-label": said },
        element("span", { class: "who", dir: "auto", textContent: row.name }),
        ...(time > 0 ? [element("span", { class: "spoke" }, element("span", { class: "long", textContent: `${clock(time)} · ` }), percent)] : []));
    }));
    this.root.hidden = this.rows.length === 0 && view.marks.length === 0;
    this.draw();
  }

  /** Moves the line of now. */
  set time(seconds) {
    this.head.style.left = `${this.duration > 0 ? Math.min(1, seconds / this.duration) * 100 : 0}%`;
  }

  describe(seconds, y) {
    const row = this.rows?.[Math.floor((y - rulerHeight) / rowHeight)];
    const mark = y < rulerHeight ? this.view.marks.findLast(mark => mark.at <= seconds) : null;
    return [clock(seconds), row?.name ?? mark?.text].filter(Boolean).join("  ");
  }

  draw() {
    if (!this.view || !this.area.clientWidth) return;
    const width = this.area.clientWidth, height = rulerHeight + this.rows.length * rowHeight;
    const scale = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(this.root);
    const colour = name => style.getPropertyValue(`--${name}`).trim();
    const x = seconds => Math.min(1, Math.max(0, seconds / Math.max(0.001, this.duration))) * width;
    const bar = ([from, to], top, tall, fill, least = 1) => {
      const left = x(from), right = Math.max(left + least, x(to ?? this.duration));
      pen.fillStyle = fill;
      pen.fillRect(left, top, right - left, tall);
    };
    this.ruler(pen, width, height, x, colour);
    this.rows.forEach((row, index) => {
      const top = rulerHeight + index * rowHeight;
      for (const stay of row.stays) bar(stay, top + 4, rowHeight - 8, colour("there"));
      for (const track of row.tracks) {
        const at = { camera: 5, "screen-share": 8 }[track.source];
        if (at) bar([track.from, track.to], top + rowHeight - at - 1, 2, colour(track.source));
      }
      for (const span of row.speaking) bar(span, top + 5, rowHeight - 14, colour("speaking"), 1.5);
      for (const gap of row.gaps) this.hatch(pen, x(gap.span[0]), x(gap.span[1] ?? this.duration), top + 4, rowHeight - 8, colour("gap"));
    });
    for (const gap of this.view.gaps.filter(gap => gap.track === null))
      this.hatch(pen, x(gap.span[0]), x(gap.span[1] ?? this.duration), rulerHeight, height - rulerHeight, colour("gap"));
    for (const mark of this.view.marks) {
      pen.fillStyle = colour("mark");
      pen.fillRect(x(mark.at), rulerHeight - 8, 1.5, height);
      pen.beginPath();
      pen.moveTo(x(mark.at), rulerHeight - 8);
      pen.lineTo(x(mark.at) + 8, rulerHeight - 4);
      pen.lineTo(x(mark.at), rulerHeight);
      pen.fill();
    }
  }

  ruler(pen, width, height, x, colour) {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400];
    const step = steps.find(step => x(step) >= 64) ?? this.duration;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (let time = 0; step > 0 && time <= this.duration; time += step) {
      pen.fillStyle = colour("line");
      pen.fillRect(x(time), rulerHeight - 5, 1, height - rulerHeight + 5);
      const label = clock(time);
      if (x(time) + 4 + pen.measureText(label).width > width) continue;
      pen.fillStyle = colour("quiet");
      pen.fillText(label, x(time) + 4, rulerHeight / 2 - 3);
    }
  }

  hatch(pen, left, right, top, tall, colour) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, Math.max(2, right - left), tall);
    pen.clip();
    pen.globalAlpha = 0.25;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colour;
    pen.beginPath();
    for (let at = left - tall; at < right + 2; at += 5) {
      pen.moveTo(at, top + tall);
      pen.lineTo(at + tall, top);
    }
    pen.stroke();
    pen.restore();
  }
}

"""#),
        ("words.js", #"""
// Times and sizes in words.

/** Seconds as a clock: 0:05, 12:05, 1:02:05. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const two = number => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  return whole >= 3600
    ? `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** Seconds as people say them, for screen readers: 1 hour 2 minutes 5 seconds. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts = [[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]];
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return said.length ? said.join(" ") : "0 seconds";
}

/** Bytes as 830 kB, 12 MB, 1.5 GB. */
export function size(bytes) {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

export const sources = {
  "microphone": "microphone", "camera": "camera", "screen-share": "screen", "screen-share-audio": "screen's sound",
  "unknown": "track",
};

/** Makes an element. What comes from a recording goes in as text, never as markup. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("aria-") || key === "dir" || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

"""#),
    ]
}
