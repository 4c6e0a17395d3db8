// swift-format-ignore-file
// Written by recipes/dev/embed-page from the files in Page: change those.

/// The files of the daemon's own pages.
enum SiteFiles {
    static let all: [(name: String, text: String)] = [
        ("actions.js", #"""
// What can be done with one recording.
import { ask } from "./api.js";
import { complain, confirmed, notice } from "./dialogs.js";

const of = id => document.getElementById(id);
let recording, changed;

const path = () => `/api/recordings/${encodeURIComponent(recording.id)}`;

/** Offers it.
 *  then: called when something is another way now. */
export function offer(one, name, then) {
  recording = { ...one, name };
  changed = then;
  of("actions-title").textContent = name;
  of("actions-link").hidden = true;
  of("actions-remove").disabled = recording.state === "recording";
  showHeld();
  of("actions").showModal();
}

function showHeld() {
  of("actions-hold").textContent = recording.held ? "Release" : "Hold";
  of("actions-hold").title = recording.held ? "It may be removed again." : "It is not removed before it is released.";
}

async function attempt(act) {
  try { await act(); } catch (error) { of("actions").close(); complain(error); }
}

of("actions-share").addEventListener("click", () => attempt(async () => {
  const { url } = await ask(path() + "/link", { method: "POST" });
  of("actions-url").value = url;
  of("actions-link").hidden = false;
  of("actions-url").select();
  // Where it is not allowed, it can be copied by hand.
  await navigator.clipboard?.writeText(url).then(() => notice("The link is copied."), () => {});
}));

of("actions-hold").addEventListener("click", () => attempt(async () => {
  await ask(path() + (recording.held ? "/release" : "/hold"), { method: "POST" });
  recording.held = !recording.held;
  showHeld();
  changed();
}));

of("actions-remove").addEventListener("click", async () => {
  of("actions").close();
  const isWanted = await confirmed({
    title: "Remove this recording?", text: `${recording.name} is gone then, with all its files. Nothing brings it back.`, yes: "Remove", no: "Keep it",
  });
  if (!isWanted) return;
  await attempt(async () => {
    await ask(path(), { method: "DELETE" });
    document.querySelector(`.recording[data-id="${CSS.escape(recording.id)}"]`)?.remove();
    changed();
  });
});

of("actions-close").addEventListener("click", () => of("actions").close());

"""#),
        ("api.js", #"""
// What the daemon is asked for.

/** Asks; what is refused becomes an error with the daemon's own sentence. */
export async function ask(path, { method = "GET", body } = {}) {
  let answer;
  try {
    answer = await fetch(path, method === "GET" ? { cache: "no-cache" } : {
      method, headers: { "Content-Type": "application/json" }, body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    });
  } catch {
    throw new Error("the daemon does not answer");
  }
  if (answer.status === 401) {
    location.reload();
    return new Promise(() => {});
  }
  const said = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.error ?? `it did not work (${answer.status})`);
  return said;
}

/** A query of what is set. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return set.length ? "?" + new URLSearchParams(set) : "";
}

"""#),
        ("dialogs.js", #"""
// What is asked of people, and what they are told.
const of = id => document.getElementById(id);
let hiding;

/** Says something for a while. */
export function notice(text) {
  clearTimeout(hiding);
  of("notice").textContent = text;
  of("notice").hidden = false;
  hiding = setTimeout(() => { of("notice").hidden = true; }, 6000);
}

/** The same of an error, as a sentence. */
export function complain(error) {
  notice(`Sorry, ${error.message}.`);
}

/** Asks whether something is to be done. */
export function confirmed({ title, text, yes, no }) {
  const dialog = of("ask");
  of("ask-title").textContent = title;
  of("ask-text").textContent = text;
  of("ask-yes").textContent = yes;
  of("ask-no").textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  of("ask-no").focus();
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}
of("ask-yes").addEventListener("click", () => of("ask").close("yes"));
of("ask-no").addEventListener("click", () => of("ask").close("no"));

"""#),
        ("jobs.js", #"""
// What is done with recordings after their end, when the machine has room for it.
const of = id => document.getElementById(id);
const words = { render: "drawing", pictures: "making pictures of" };

/** In one line: what is being done, and how much waits. */
export function showJobs(jobs) {
  const running = jobs.filter(job => job.state !== "waiting").map(job => {
    const share = job.state === "suspended" ? " (stands still while the machine is needed)"
      : job.kind === "render" && job.progress > 0 ? ` (${Math.floor(job.progress * 100)} %)` : "";
    return `${words[job.kind] ?? job.kind} ${job.folder.split("/").pop()}${share}`;
  });
  const waiting = jobs.length - running.length;
  const parts = [...running, ...(waiting ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for room`] : [])];
  of("jobs").hidden = parts.length === 0;
  of("jobs").textContent = `After the call: ${parts.join(", ")}.`;
}

"""#),
        ("list.css", #"""
header { flex-wrap: wrap; }
header nav { display: none; gap: .2rem; }
header nav a { padding: .35rem .7rem; border-radius: 8px; text-decoration: none; }
header nav a[aria-current] { background: var(--there); font-weight: 600; }
main { display: grid; grid-template-columns: minmax(0, 1fr) clamp(300px, 27vw, 420px); gap: 1.2rem; align-items: start; padding: 0 1.2rem 2rem; max-width: 1680px; margin: 0 auto; }
aside { display: grid; gap: 1rem; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .8rem .9rem; min-width: 0; }
.panel h2 { margin-bottom: .4rem; }
input:not([type=range]) { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .3rem .6rem; height: 36px; width: 100%; min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
code { font-size: .9em; }
.primary { background: var(--text); color: var(--page); border-color: var(--text); }
.primary:hover { background: var(--quiet); }
.danger { color: var(--failed); border-color: currentColor; }
a.text { text-decoration: none; }
.small { padding: .15rem .6rem; font-size: .85rem; }

.filters { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr) auto; gap: .5rem; margin-bottom: .8rem; }
.filters label { min-width: 0; }
.list, .found ol, .running ul, .schedules, .history { list-style: none; margin: 0; padding: 0; }
.list { display: grid; gap: .6rem; }
.recording { position: relative; display: grid; grid-template-columns: 160px minmax(0, 1fr) auto; gap: .2rem .9rem; align-items: start; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .6rem; content-visibility: auto; contain-intrinsic-size: auto 110px; }
.recording:hover { border-color: var(--quiet); }
.poster { position: relative; width: 160px; aspect-ratio: 16 / 9; border-radius: 6px; overflow: hidden; background: #000; }
.poster img { width: 100%; height: 100%; object-fit: cover; display: block; }
.poster .live { position: absolute; inset: 0; display: grid; place-content: center; color: #ff7b70; font-size: 1.4rem; }
.poster .length { position: absolute; inset-inline-end: .25rem; bottom: .25rem; padding: 0 .35rem; border-radius: 4px; background: rgb(0 0 0 / .75); color: #fff; font-size: .8rem; font-variant-numeric: tabular-nums; }
.recording .room { font-weight: 600; text-decoration: none; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; unicode-bidi: isolate; }
.recording .room::after { content: ""; position: absolute; inset: 0; border-radius: 10px; }
.recording .room:focus-visible { outline: 0; }
.recording:has(.room:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.recording p { font-size: .88rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.recording .people bdi + bdi::before, .card .facts span:not([hidden]) ~ span:not([hidden])::before { content: " · "; color: var(--quiet); }
.recording .problem { white-space: normal; color: var(--quiet); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; }
.chips { display: flex; flex-direction: column; align-items: end; gap: .3rem; }
.chips .icon { position: relative; z-index: 1; width: 32px; height: 28px; margin: -.1rem; }
.chips .chip { font-size: .8rem; }
.nothing { padding: 2.5rem 1rem; text-align: center; text-wrap: balance; color: var(--quiet); background: var(--panel); border: 1px dashed var(--line); border-radius: 10px; }
.nothing code { color: var(--text); }
.end { text-align: center; margin-top: .8rem; min-height: 1px; }

.found { margin-bottom: .6rem; }
.found h2 { margin: .2rem 0 .5rem; }
.found ol + .text { margin-top: .4rem; }
.found ol { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; margin-bottom: .8rem; }
.found li + li { border-top: 1px solid var(--line); }
.found li a { display: grid; grid-template-columns: 3.6em minmax(0, 1fr); gap: .1rem .5rem; padding: .5rem .8rem; text-decoration: none; }
.found li a:hover { background: var(--there); }
.found li a:focus-visible { outline-offset: -3px; }
.found time { color: var(--quiet); font-variant-numeric: tabular-nums; }
.found .excerpt { overflow-wrap: anywhere; unicode-bidi: isolate; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.found .excerpt b { margin-inline-end: .4em; unicode-bidi: isolate; }
.found .where { grid-column: 2; font-size: .82rem; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.running { max-width: 1680px; margin: 0 auto 1rem; padding: 0 1.2rem; }
.jobs { max-width: 1680px; margin: 0 auto 1rem; padding: 0 1.2rem; color: var(--quiet); overflow-wrap: anywhere; }
.running ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: .7rem; margin-top: .4rem; }
.card { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .1rem .8rem; background: var(--panel); border: 1px solid var(--line); border-inline-start: 4px solid var(--failed); border-radius: 10px; padding: .6rem .8rem; }
.card.quiet-card { border-inline-start-color: var(--quiet); }
.card .name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.card .facts { font-size: .88rem; font-variant-numeric: tabular-nums; }
.card .where { grid-column: 1; font-size: .82rem; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.card .acts { grid-area: 1 / 2 / span 3; display: flex; align-items: center; gap: .4rem; }

.schedules > li, .history > li { padding: .5rem 0; border-top: 1px solid var(--line); }
.schedules > li:first-child, .history > li:first-child { border-top: 0; padding-top: 0; }
.schedules .head { display: flex; align-items: baseline; gap: .5rem; }
.schedules .head b { overflow-wrap: anywhere; min-width: 0; flex: 1; unicode-bidi: isolate; }
.schedules .timing, .schedules .times, .history p { font-size: .85rem; color: var(--quiet); overflow-wrap: anywhere; }
.schedules .times { margin: .2rem 0 0; padding-inline-start: 1.1rem; }
.schedules .acts { display: flex; gap: .4rem; margin-top: .4rem; }
.history .head { display: flex; gap: .5rem; align-items: baseline; font-size: .9rem; }
.history .head time { flex: none; color: var(--quiet); font-variant-numeric: tabular-nums; }
.history .head b { overflow-wrap: anywhere; min-width: 0; flex: 1; font-weight: 600; unicode-bidi: isolate; }
.history .head .chip { font-size: .75rem; }

dialog label, .alone label { display: block; margin-top: .8rem; font-size: .9rem; color: var(--quiet); }
dialog label input, .alone label input { color: var(--text); margin-top: .2rem; }
#actions h2, #ask h2 { overflow-wrap: anywhere; }
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .6rem; margin-top: 1.1rem; }
.fault { margin-top: .8rem; color: var(--failed); overflow-wrap: anywhere; }
#ask p { margin-top: .6rem; overflow-wrap: anywhere; }
#ask .buttons { margin-top: 1.1rem; }
.notice { position: fixed; inset-inline: 0; bottom: 1.2rem; margin: 0 auto; width: fit-content; max-width: min(90vw, 40rem); padding: .55rem 1rem; border-radius: 8px; background: var(--text); color: var(--page); overflow-wrap: anywhere; }
.alone { display: grid; grid-template-columns: minmax(0, 26rem); place-content: center; min-height: 90vh; padding: 1rem; }
.alone .panel { padding: 1.4rem; }
.alone h1 + p { margin-top: .6rem; }
.alone .quiet { margin-top: .9rem; font-size: .85rem; }

@media (max-width: 900px) {
  header { padding: .6rem .8rem; }
  header nav { display: flex; order: 3; width: 100%; }
  header nav a { flex: 1; text-align: center; }
  main { grid-template-columns: minmax(0, 1fr); padding: 0 .8rem 1.5rem; }
  aside { position: static; max-height: none; }
  .running, .jobs { padding: 0 .8rem; }
  body:not([data-part=schedules]) aside, body[data-part=schedules] .recordings { display: none; }
}
@media (max-width: 560px) {
  .filters { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .filters .wide { grid-column: 1 / -1; }
  .filters label:last-child { grid-column: 1 / -1; }
  .filters select { width: 100%; }
  .recording { grid-template-columns: 104px minmax(0, 1fr); gap: .2rem .7rem; }
  .poster { width: 104px; }
  .chips { grid-column: 2; flex-direction: row; flex-wrap: wrap; justify-content: start; align-items: center; }
  #leave { padding-inline: .5rem; }
}

"""#),
        ("list.html", #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Recordings · callbot</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/style.css">
<link rel="stylesheet" href="/page/list.css">
<script type="module" src="/page/list.js"></script>
</head>
<body>
<header>
  <div class="title">
    <h1>Recordings</h1>
    <p id="connection" role="status"></p>
  </div>
  <nav aria-label="Parts of the page">
    <a href="#recordings" id="to-recordings" aria-current="true">Recordings</a>
    <a href="#schedules" id="to-schedules">Schedules</a>
  </nav>
  <button id="start" type="button" class="text primary" aria-haspopup="dialog">Record…</button>
  <button id="leave" type="button" class="text" title="Forget the token in this browser">Sign out</button>
</header>
<section class="running" id="running" aria-labelledby="running-title" hidden>
  <h2 id="running-title">Now</h2>
  <ul id="runs"></ul>
</section>
<p class="jobs" id="jobs" hidden></p>
<main>
  <section class="recordings" aria-label="Recordings">
    <form id="filters" class="filters" role="search">
      <label class="wide"><span class="hidden">Words in the chat, in names and in chapters</span><input id="words" type="search" placeholder="Search what was said…" autocomplete="off" maxlength="500"></label>
      <label><span class="hidden">Room</span><input id="room" type="search" placeholder="Room" autocomplete="off" maxlength="200"></label>
      <label><span class="hidden">Person</span><input id="person" type="search" placeholder="Person" autocomplete="off" maxlength="200"></label>
      <label><span class="hidden">Verdict</span><select id="verdict">
        <option value="">Any verdict</option><option value="good">good</option><option value="degraded">degraded</option><option value="failed">failed</option>
      </select></label>
    </form>
    <section id="found" class="found" aria-labelledby="found-title" hidden>
      <h2 id="found-title">Where it was said</h2>
      <ol id="lines"></ol>
      <button id="more-lines" type="button" class="text" hidden>More</button>
      <h2>In these recordings</h2>
    </section>
    <ol id="list" class="list"></ol>
    <p id="nothing" class="nothing" hidden></p>
    <p class="end"><button id="more" type="button" class="text" hidden>More</button></p>
  </section>
  <aside aria-label="Schedules">
    <section class="panel" aria-labelledby="schedules-title">
      <h2 id="schedules-title">Schedules</h2>
      <ul id="schedules" class="schedules"></ul>
      <p id="no-schedules" class="quiet" hidden>Nothing is scheduled: see <code>callbot help schedule</code>.</p>
    </section>
    <section class="panel" aria-labelledby="history-title">
      <h2 id="history-title">What became of it</h2>
      <ol id="history" class="history"></ol>
      <p id="no-history" class="quiet" hidden>Nothing yet.</p>
    </section>
  </aside>
</main>
<dialog id="start-dialog" aria-labelledby="start-title">
  <form id="start-form" method="dialog">
    <h2 id="start-title">Record</h2>
    <label>Room's address, or path of a recipe<input id="start-recipe" required autocomplete="off" spellcheck="false" placeholder="janus+wss://example.org/1234"></label>
    <label>Name (may be empty)<input id="start-name" autocomplete="off" spellcheck="false" maxlength="60" placeholder="standup"></label>
    <label>For how long (may be empty)<input id="start-duration" autocomplete="off" spellcheck="false" placeholder="45m, 1h30m"></label>
    <label>When, in this browser's time zone (empty: now)<input id="start-when" autocomplete="off" spellcheck="false" placeholder="2026-12-01 09:00, or 0 9 * * MON-FRI"></label>
    <p id="start-fault" class="fault" role="alert" hidden></p>
    <p class="buttons"><button id="start-cancel" type="button" class="text">Cancel</button><button id="start-submit" type="submit" class="text primary">Record</button></p>
  </form>
</dialog>
<dialog id="actions" aria-labelledby="actions-title">
  <h2 id="actions-title" dir="auto"></h2>
  <label id="actions-link" hidden>For 7 days, whoever has this link can watch it<input id="actions-url" readonly></label>
  <p class="buttons"><button id="actions-share" type="button" class="text">Make a link</button><button id="actions-hold" type="button" class="text"></button><button id="actions-remove" type="button" class="text danger">Remove…</button><button id="actions-close" type="button" class="text">Close</button></p>
</dialog>
<dialog id="ask" aria-labelledby="ask-title" aria-describedby="ask-text">
  <h2 id="ask-title"></h2>
  <p id="ask-text"></p>
  <p class="buttons"><button id="ask-no" type="button" class="text"></button><button id="ask-yes" type="button" class="text danger"></button></p>
</dialog>
<p id="notice" class="notice" role="alert" hidden></p>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
</body>
</html>

"""#),
        ("list.js", #"""
// The page with all recordings: what is looked for, and what goes on meanwhile.
import { ask } from "./api.js";
import { Recordings } from "./recordings.js";
import { Runs } from "./runs.js";
import { showJobs } from "./jobs.js";
import { addHistory, showHistory, showSchedules } from "./schedules.js";
import { Search } from "./search.js";
import "./start.js";

const of = id => document.getElementById(id);
const names = ["words", "room", "person", "verdict"];
const recordings = new Recordings(of("list"), of("more"), of("nothing"));
const search = new Search(of("found"), of("lines"), of("more-lines"));
const runs = new Runs(of("running"), of("runs"));

// What is looked for stands in the address, so that it is there again for who comes back.

function wanted() { return Object.fromEntries(names.map(name => [name, of(name).value.trim()])); }

function look() {
  const filter = wanted();
  const set = Object.entries(filter).filter(([, value]) => value);
  history.replaceState(null, "", location.pathname + (set.length ? "?" + new URLSearchParams(set) : "") + location.hash);
  recordings.show(filter);
  search.show({ words: filter.words, room: filter.room, person: filter.person });
}

const given = new URLSearchParams(location.search);
for (const name of names) of(name).value = given.get(name) ?? "";
let pause;
of("filters").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(look, 250); });
of("filters").addEventListener("submit", event => { event.preventDefault(); clearTimeout(pause); look(); });

// On a small screen it is one part or the other.

function part() {
  const isSchedules = location.hash === "#schedules";
  document.body.dataset.part = isSchedules ? "schedules" : "recordings";
  for (const [id, isHere] of [["to-recordings", !isSchedules], ["to-schedules", isSchedules]]) {
    if (isHere) of(id).setAttribute("aria-current", "true"); else of(id).removeAttribute("aria-current");
  }
}
addEventListener("hashchange", part);
part();

of("leave").addEventListener("click", async () => {
  await ask("/api/session", { method: "DELETE" }).catch(() => {});
  location.reload();
});

// What goes on.

function listen() {
  const events = new EventSource("/api/events");
  const on = (name, act) => events.addEventListener(name, event => act(JSON.parse(event.data)));
  events.addEventListener("open", () => { of("connection").textContent = ""; });
  events.addEventListener("error", () => {
    of("connection").textContent = "The daemon does not answer just now.";
    // What was refused is not tried again by itself.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  });
  let isFirst = true, jobCount = 0;
  on("state", state => {
    runs.show(state.runs);
    showJobs(state.jobs);
    jobCount = state.jobs.length;
    showSchedules();
    showHistory();
    if (!isFirst) recordings.refresh();
    isFirst = false;
  });
  on("run-began", run => { runs.set(run); if (run.recording) recordings.refresh(); });
  const known = new Set();
  on("run-changed", run => {
    runs.set(run);
    // It has come into the archive.
    if (run.recording && !known.has(run.recording)) { known.add(run.recording); recordings.refresh(); }
  });
  on("run-ended", run => { runs.remove(run.run); recordings.refresh(); });
  on("schedules", showSchedules);
  on("jobs", ({ jobs }) => {
    showJobs(jobs);
    // One fewer: a recording has its composite or its pictures now.
    if (jobs.length < jobCount) recordings.refresh();
    jobCount = jobs.length;
  });
  on("history", addHistory);
  addEventListener("pagehide", () => events.close(), { once: true });
}
look();
listen();
// A page that comes out of the browser's memory listens no more.
addEventListener("pageshow", event => { if (event.persisted) location.reload(); });

"""#),
        ("recordings.js", #"""
// The list of recordings, part after part.
import { offer } from "./actions.js";
import { ask, query } from "./api.js";
import { complain } from "./dialogs.js";
import { clock, element, size, spoken } from "./words.js";

/** A moment as people here write it. */
export function moment(text) {
  return new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

function title({ room, id }) {
  return room.description || decodeURIComponentSafely(room.address.split("/").pop()) || id;
}

function decodeURIComponentSafely(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function poster(recording) {
  const place = element("div", { class: "poster" });
  if (recording.poster) {
    const image = element("img", { loading: "lazy", decoding: "async", alt: "", width: 160, height: 90 });
    image.addEventListener("error", () => image.remove());
    image.src = recording.poster;
    place.append(image);
  }
  if (recording.state === "recording") place.append(element("span", { class: "live", "aria-hidden": "true", textContent: "●" }));
  else if (recording.duration !== undefined) {
    const seconds = recording.duration / 1e6;
    place.append(element("span", { class: "length", "aria-label": spoken(seconds), textContent: clock(seconds) }));
  }
  return place;
}

function chips(recording, changed) {
  const states = { recording: ["being recorded", "live"], interrupted: ["cut short", "degraded"], damaged: ["damaged", "failed"] };
  const made = [];
  const [words, kind] = states[recording.state] ?? [];
  if (words) made.push(element("span", { class: `chip ${kind}`, textContent: words }));
  const grade = recording.verdict?.grade;
  if (grade && recording.state !== "recording") made.push(element("span", { class: `chip ${grade}`, textContent: grade, title: recording.verdict.reasons.join("\n") }));
  if (recording.held) made.push(element("span", { class: "chip", textContent: "held", title: "It is not removed before it is released." }));
  const name = title(recording);
  const more = element("button", { type: "button", class: "icon", "aria-label": `More: ${name}`, "aria-haspopup": "dialog", textContent: "⋯" });
  more.addEventListener("click", () => offer(recording, name, changed));
  return element("div", { class: "chips" }, ...made, more);
}

function entry(recording, changed) {
  const isRunning = recording.state === "recording";
  const facts = [recording.origin ? moment(recording.origin) : "no date"];
  if (!isRunning) facts.push(size(recording.bytes));
  const others = recording.participants - recording.people.length;
  const people = element("p", { class: "people" }, ...recording.people.map(name => element("bdi", { textContent: name })));
  if (others > 0) people.append(` and ${others} more`);
  if (!recording.people.length && !isRunning) people.append(element("span", { class: "quiet", textContent: "nobody was there" }));
  const what = element("div", {},
    element("a", { class: "room", href: recording.page, dir: "auto", textContent: title(recording) }),
    element("p", { class: "quiet", textContent: facts.join(" · ") }), people);
  const problem = recording.problem ?? recording.verdict?.reasons[0];
  if (problem) what.append(element("p", { class: "problem", dir: "auto", textContent: problem }));
  const made = element("li", { class: "recording" }, poster(recording), what, chips(recording, changed));
  made.dataset.id = recording.id;
  return made;
}

/** Shows the recordings that a filter lets through, more of them as one comes to their end. */
export class Recordings {
  #list; #more; #nothing; #filter = {}; #next; #asked = 0; #isAsking = false;

  constructor(list, more, nothing) {
    this.#list = list;
    this.#more = more;
    this.#nothing = nothing;
    more.addEventListener("click", () => this.#go());
    new IntersectionObserver(seen => { if (seen.some(one => one.isIntersecting) && this.#next && !this.#isAsking) this.#go(); },
      { rootMargin: "600px" }).observe(more.parentElement);
  }

  #entry = recording => entry(recording, () => this.refresh());

  async show(filter) {
    this.#filter = filter;
    this.#next = undefined;
    await this.#go(true);
  }

  /** The newest once more: something has begun or ended. What was shown further down stays. */
  async refresh() {
    const asked = this.#asked;
    try {
      const { recordings, next } = await ask("/api/recordings" + query({ ...this.#filter, limit: 50 }));
      if (asked !== this.#asked) return;
      const fresh = new Map(recordings.map(recording => [recording.id, recording]));
      const focused = document.activeElement?.closest?.(".recording")?.dataset.id;
      const isMore = document.activeElement?.matches?.(".icon");
      // What is not among all that there are is gone.
      for (const old of [...this.#list.children]) if (!next || fresh.has(old.dataset.id)) old.remove();
      this.#list.prepend(...recordings.map(this.#entry));
      if (focused) this.#list.querySelector(`[data-id="${CSS.escape(focused)}"] ${isMore ? ".icon" : ".room"}`)?.focus({ preventScroll: true });
      this.#sayNothing();
    } catch { /* the next time */ }
  }

  async #go(isFirst = false) {
    const asked = ++this.#asked;
    this.#isAsking = true;
    try {
      const found = await ask("/api/recordings" + query({ ...this.#filter, limit: 50, after: this.#next }));
      if (asked !== this.#asked) return;
      const made = found.recordings.map(this.#entry);
      if (isFirst) this.#list.replaceChildren(...made); else this.#list.append(...made);
      this.#next = found.next;
      this.#sayNothing();
    } catch (error) {
      if (asked === this.#asked) complain(error);
    } finally {
      if (asked === this.#asked) this.#isAsking = false;
      this.#more.hidden = !this.#next;
    }
  }

  #sayNothing() {
    const isEmpty = this.#list.children.length === 0;
    const isFiltered = Object.values(this.#filter).some(value => value);
    this.#nothing.hidden = !isEmpty;
    if (!isEmpty) return;
    this.#nothing.replaceChildren(...(isFiltered ? ["No recording is like that."] : [
      "Nothing has been recorded yet. “Record…” above begins, or on the command line ",
      element("code", { textContent: "callbot schedule add" }), " says what is recorded when."]));
  }
}

"""#),
        ("runs.js", #"""
// What is being recorded just now.
import { ask } from "./api.js";
import { complain, confirmed } from "./dialogs.js";
import { clock, element, spoken } from "./words.js";

const words = { starting: "starts", joining: "joins the room", recording: "", waiting: "waits to try again", ending: "ends" };

export class Runs {
  #place; #list; #runs = new Map(); #cards = new Map();

  constructor(place, list) {
    this.#place = place;
    this.#list = list;
    setInterval(() => { for (const [id, card] of this.#cards) this.#tick(id, card); }, 500);
  }

  show(runs) {
    this.#runs.clear();
    for (const card of this.#cards.values()) card.root.remove();
    this.#cards.clear();
    for (const run of runs) this.set(run);
    this.#place.hidden = this.#runs.size === 0;
  }

  set(run) {
    this.#runs.set(run.run, { ...run, heard: performance.now() });
    if (!this.#cards.has(run.run)) this.#make(run.run);
    this.#fill(run.run);
    this.#place.hidden = false;
  }

  remove(id) {
    this.#runs.delete(id);
    this.#cards.get(id)?.root.remove();
    this.#cards.delete(id);
    this.#place.hidden = this.#runs.size === 0;
  }

  #make(id) {
    const card = {
      name: element("span", { class: "name", dir: "auto" }), facts: element("p", { class: "facts" }),
      where: element("p", { class: "where", dir: "auto" }), watch: element("a", { class: "text small", textContent: "Watch" }),
      stop: element("button", { type: "button", class: "text small danger", textContent: "Stop" }),
      state: element("span"), time: element("span", { class: "time" }), people: element("span"), loss: element("span"),
    };
    card.facts.append(card.state, card.time, card.people, card.loss);
    card.root = element("li", { class: "card" }, card.name, card.facts, card.where,
      element("div", { class: "acts" }, card.watch, card.stop));
    card.root.dataset.run = id;
    card.stop.addEventListener("click", () => this.#stop(id));
    this.#cards.set(id, card);
    this.#list.append(card.root);
  }

  #fill(id) {
    const run = this.#runs.get(id), card = this.#cards.get(id);
    const put = (part, text) => { part.hidden = !text; part.textContent = text; };
    card.name.textContent = run.name;
    card.where.textContent = run.room ?? "";
    card.root.classList.toggle("quiet-card", run.state !== "recording");
    put(card.state, words[run.state] ?? run.state);
    put(card.people, run.people === undefined ? "" : run.people === 1 ? "1 person" : `${run.people} people`);
    put(card.loss, run.loss === undefined ? "" : `${(run.loss * 100).toFixed(run.loss < 0.1 ? 1 : 0)} % lost`);
    card.watch.hidden = !run.page;
    if (run.page) card.watch.href = run.page;
    card.watch.setAttribute("aria-label", `Watch ${run.name}`);
    card.stop.setAttribute("aria-label", `Stop ${run.name}`);
    this.#tick(id, card);
  }

  /** The time goes on between what is heard. */
  #tick(id, card) {
    const run = this.#runs.get(id);
    const isKnown = run.elapsed !== undefined;
    card.time.hidden = !isKnown;
    if (!isKnown) return;
    const since = run.state === "recording" ? Math.min((performance.now() - run.heard) / 1000, 10) : 0;
    const seconds = run.elapsed / 1e6 + since;
    card.time.textContent = clock(seconds);
    card.time.setAttribute("aria-label", spoken(seconds));
  }

  async #stop(id) {
    const run = this.#runs.get(id);
    const isAgain = run?.state === "ending";
    const isWanted = await confirmed({
      title: isAgain ? "Hurry?" : "Stop this recording?",
      text: isAgain ? `${run.name} is ending already. What takes long is left for later.` : `${run?.name ?? id} ends now. What was recorded is kept, and made whole.`,
      yes: isAgain ? "Hurry" : "Stop", no: "Go on recording",
    });
    if (!isWanted) return;
    try { await ask(`/api/runs/${encodeURIComponent(id)}/stop`, { method: "POST" }); } catch (error) { complain(error); }
  }
}

"""#),
        ("schedules.js", #"""
// What is recorded when, and what became of it.
import { ask } from "./api.js";
import { complain, confirmed, notice } from "./dialogs.js";
import { moment } from "./recordings.js";
import { element } from "./words.js";

const of = id => document.getElementById(id);

/** A time to come: its year only when it is another one. */
function weekday(text) {
  const time = new Date(text);
  const year = time.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return time.toLocaleString([], { weekday: "short", day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit" });
}

function timing({ cron, once, when, zone }) {
  if (when) return `${when.join("; ")} · ${zone}`;
  if (once?.endsWith("Z")) return `once, ${moment(once)}`;
  return `${cron ?? (once ? `once, ${once}` : "a calendar")} · ${zone}`;
}

function entry(schedule) {
  const name = schedule.name || schedule.id;
  const path = `/api/schedules/${encodeURIComponent(schedule.id)}`;
  const button = (text, label, act) => {
    const made = element("button", { type: "button", class: "text small", textContent: text, "aria-label": `${label} ${name}` });
    let isBusy = false;
    made.addEventListener("click", async () => {
      if (isBusy) return;
      isBusy = true;
      try { await act(); } catch (error) { complain(error); }
      isBusy = false;
    });
    return made;
  };
  const acts = element("div", { class: "acts" },
    schedule.paused
      ? button("Resume", "Resume", async () => { await ask(path + "/resume", { method: "POST" }); await showSchedules(); })
      : button("Pause", "Pause", async () => { await ask(path + "/pause", { method: "POST" }); await showSchedules(); }),
    button("Run now", "Run now:", async () => {
      const isWanted = await confirmed({ title: "Record it now?", text: `${name} is recorded now, besides its times.`, yes: "Record", no: "Cancel" });
      if (!isWanted) return;
      await ask(path + "/run", { method: "POST" });
      notice(`${name} is being recorded.`);
    }));
  // What a recipe says itself is changed there.
  if (!schedule.file) acts.append(button("Remove", "Remove", async () => {
    const isWanted = await confirmed({ title: "Remove this schedule?", text: `${name} is not recorded any more; what was recorded stays.`, yes: "Remove", no: "Keep" });
    if (!isWanted) return;
    await ask(path, { method: "DELETE" });
    await showSchedules();
  }));
  const head = element("div", { class: "head" }, element("b", { dir: "auto", textContent: name }));
  if (schedule.paused) head.append(element("span", { class: "chip degraded", textContent: "paused" }));
  const made = element("li", {}, head, element("p", {
    class: "timing", dir: "auto", textContent: timing(schedule),
  }));
  made.dataset.schedule = schedule.id;
  if (schedule.next.length) {
    made.append(element("ul", { class: "times" }, ...schedule.next.map(time => element("li", {}, element("time", { dateTime: time, textContent: weekday(time) })))));
  } else if (!schedule.paused) made.append(element("p", { class: "timing", textContent: schedule.once ? "It is over." : "Never again." }));
  made.append(acts);
  return made;
}

function fault({ file, reason }) {
  return element("li", {}, element("b", { dir: "auto", textContent: file.split("/").pop() }), element("p", { class: "fault", dir: "auto", textContent: reason }));
}

export async function showSchedules() {
  try {
    const { schedules, faults } = await ask("/api/schedules");
    const buttons = list => [...list.querySelectorAll("button")];
    const focused = buttons(of("schedules")).indexOf(document.activeElement);
    of("schedules").replaceChildren(...schedules.map(entry), ...faults.map(fault));
    if (focused >= 0) buttons(of("schedules"))[focused]?.focus({ preventScroll: true });
    of("no-schedules").hidden = schedules.length + faults.length > 0;
  } catch (error) { complain(error); }
}

const grades = { ran: "good", failed: "failed", missed: "degraded", skipped: "", refused: "degraded" };

/** What was done with a recording after its end. */
function afterwards(entry) {
  const name = entry.folder.split("/").pop();
  return element("li", {}, element("div", { class: "head" },
    element("time", { dateTime: entry.at, textContent: moment(entry.at) }), element("b", { dir: "auto", textContent: name })),
  element("p", { dir: "auto", textContent: entry.text }));
}

function line(entry) {
  if (entry.folder) return afterwards(entry);
  const made = element("li", {}, element("div", { class: "head" },
    element("time", { dateTime: entry.due, textContent: moment(entry.due) }), element("b", { dir: "auto", textContent: entry.schedule }),
    element("span", { class: `chip ${grades[entry.outcome] ?? ""}`, textContent: entry.outcome })));
  // When it ran is said already; why it did not is not.
  const why = entry.text.replace(/^[a-z]+: /, "");
  if (entry.outcome !== "ran") made.append(element("p", { dir: "auto", textContent: why }));
  return made;
}

export async function showHistory() {
  try {
    const { history } = await ask("/api/history?limit=30");
    of("history").replaceChildren(...history.map(line));
    of("no-history").hidden = history.length > 0;
  } catch (error) { complain(error); }
}

export function addHistory(entry) {
  of("history").prepend(line(entry));
  of("no-history").hidden = true;
}

"""#),
        ("search.js", #"""
// Where words were said, each with a way to its moment.
import { ask, query } from "./api.js";
import { complain } from "./dialogs.js";
import { moment } from "./recordings.js";
import { clock, element } from "./words.js";

function entry(line) {
  const excerpt = element("span", { class: "excerpt", dir: "auto" });
  if (line.person && line.kind !== "name") excerpt.append(element("b", { textContent: line.person }));
  excerpt.append(line.excerpt);
  const kinds = { mark: "chapter", name: "somebody's name", room: "the room's name", private: "private" };
  const where = [kinds[line.kind], line.room || line.recording, line.origin && moment(line.origin)].filter(Boolean);
  return element("li", {}, element("a", { href: line.page },
    element("time", { textContent: clock(line.at / 1e6) }), excerpt,
    element("span", { class: "where", dir: "auto", textContent: where.join(" · ") })));
}

export class Search {
  #place; #list; #more; #filter; #next; #asked = 0;

  constructor(place, list, more) {
    this.#place = place;
    this.#list = list;
    this.#more = more;
    more.addEventListener("click", () => this.#go());
  }

  async show(filter) {
    this.#filter = filter;
    this.#next = undefined;
    if (!filter.words) {
      this.#asked++;
      this.#place.hidden = true;
      this.#list.replaceChildren();
      return;
    }
    await this.#go(true);
  }

  async #go(isFirst = false) {
    const asked = ++this.#asked;
    try {
      const { lines, next } = await ask("/api/search" + query({ ...this.#filter, limit: 20, after: this.#next }));
      if (asked !== this.#asked) return;
      const made = lines.map(entry);
      if (isFirst) this.#list.replaceChildren(...made); else this.#list.append(...made);
      this.#next = next;
      this.#more.hidden = !next;
      this.#place.hidden = this.#list.children.length === 0;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#place.hidden = true;
      // Signs alone ask for nothing.
      if (!error.message.startsWith("words are missing")) complain(error);
    }
  }
}

"""#),
        ("sentence.html", #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>callbot</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/style.css">
<link rel="stylesheet" href="/page/list.css">
</head>
<body>
<main class="alone"><div class="panel"><h1>Sorry</h1><p>{sentence}</p></div></main>
</body>
</html>

"""#),
        ("signin.html", #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in · callbot</title>
<link rel="icon" href="/page/icon.svg">
<link rel="stylesheet" href="/page/style.css">
<link rel="stylesheet" href="/page/list.css">
<script type="module" src="/page/signin.js"></script>
</head>
<body>
<main class="alone">
  <form id="form" class="panel">
    <h1>Sign in</h1>
    <label>The daemon's token<input id="token" type="password" required autocomplete="current-password" autofocus></label>
    <p id="fault" class="fault" role="alert" hidden></p>
    <p class="buttons"><button type="submit" class="text primary">Sign in</button></p>
    <p class="quiet">It is what the daemon was started with: <code>--web-token</code>.</p>
  </form>
</main>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
</body>
</html>

"""#),
        ("signin.js", #"""
// Asks for the token, and comes back to where somebody wanted to go.
const form = document.getElementById("form"), token = document.getElementById("token"), fault = document.getElementById("fault");

form.addEventListener("submit", async event => {
  event.preventDefault();
  try {
    const answer = await fetch("/api/session", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: token.value }),
    });
    if (answer.ok) return location.reload();
    fault.textContent = answer.status === 401 ? "This is not the daemon's token." : `It did not work (${answer.status}).`;
  } catch {
    fault.textContent = "The daemon does not answer.";
  }
  fault.hidden = false;
  token.select();
});

"""#),
        ("start.js", #"""
// The form that begins a recording, now or by a schedule.
import { ask } from "./api.js";
import { notice } from "./dialogs.js";

const of = id => document.getElementById(id);
const given = name => of(`start-${name}`).value.trim();

/** What is asked for: a path of the API, and what is to be said when it is done. */
function wanted() {
  const body = { recipe: given("recipe") };
  for (const key of ["name", "duration"]) if (given(key)) body[key] = given(key);
  const when = given("when");
  if (!when) return { path: "/api/runs", body, said: "It is being recorded." };
  // A year in front is a date, which no cron expression begins with.
  body[/^\d{4}-/.test(when) ? "once" : "cron"] = when;
  body.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { path: "/api/schedules", body, said: "It is scheduled." };
}

function name() { of("start-submit").textContent = given("when") ? "Schedule" : "Record"; }

of("start").addEventListener("click", () => {
  of("start-fault").hidden = true;
  name();
  of("start-dialog").showModal();
});
of("start-when").addEventListener("input", name);
of("start-cancel").addEventListener("click", () => of("start-dialog").close());
of("start-form").addEventListener("submit", async event => {
  event.preventDefault();
  const { path, body, said } = wanted();
  try {
    await ask(path, { method: "POST", body });
    of("start-dialog").close();
    notice(said);
  } catch (error) {
    of("start-fault").textContent = `Sorry, ${error.message}.`;
    of("start-fault").hidden = false;
  }
});

"""#),
    ]
}
