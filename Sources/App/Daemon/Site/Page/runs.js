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

  get isEmpty() { return this.#runs.size === 0; }

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
