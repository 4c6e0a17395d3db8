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
