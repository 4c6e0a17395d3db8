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
  #list; #more; #nothing; #filter = {}; #next; #asked = 0; #isAsking = false; #isStale = false; #refreshing;

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

  /** Whether one of them is being recorded, as far as is known. */
  get hasRunning() { return this.#list.querySelector(".chip.live") !== null; }

  /** The newest once more: something has begun or ended. What was shown further down stays. One after the other: an answer that
   *  comes late must not undo a newer one. */
  refresh() {
    this.#isStale = true;
    this.#refreshing ??= this.#catchUp().finally(() => { this.#refreshing = undefined; });
    return this.#refreshing;
  }

  async #catchUp() {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#renew();
    }
  }

  async #renew() {
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
    } catch { setTimeout(() => this.refresh(), 2000); }
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
