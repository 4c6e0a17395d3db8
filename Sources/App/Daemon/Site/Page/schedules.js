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
