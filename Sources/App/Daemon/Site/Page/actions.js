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
