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
