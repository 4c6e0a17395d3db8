// The form that begins a recording.
import { ask } from "./api.js";
import { notice } from "./dialogs.js";

const of = id => document.getElementById(id);

of("start").addEventListener("click", () => {
  of("start-fault").hidden = true;
  of("start-dialog").showModal();
});
of("start-cancel").addEventListener("click", () => of("start-dialog").close());
of("start-form").addEventListener("submit", async event => {
  event.preventDefault();
  const body = { recipe: of("start-recipe").value.trim() };
  const name = of("start-name").value.trim(), duration = of("start-duration").value.trim();
  if (name) body.name = name;
  if (duration) body.duration = duration;
  try {
    await ask("/api/runs", { method: "POST", body });
    of("start-dialog").close();
    notice("It is being recorded.");
  } catch (error) {
    of("start-fault").textContent = `Sorry, ${error.message}.`;
    of("start-fault").hidden = false;
  }
});
