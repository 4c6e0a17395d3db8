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
