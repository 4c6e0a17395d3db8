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
