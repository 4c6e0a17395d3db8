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
// What others record has no event, and its end has none.
setInterval(() => { if (runs.isEmpty && recordings.hasRunning && !document.hidden) recordings.refresh(); }, 3000);
// A page that comes out of the browser's memory listens no more.
addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
