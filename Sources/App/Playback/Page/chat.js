// The chat beside the picture: the line of now is marked and kept in sight; a click on a line goes to its moment.
import { clock, element } from "./words.js";

export class Chat {
  /** @param seek is called with the time of a line that was chosen. */
  constructor(list, empty, seek) {
    this.list = list;
    this.empty = empty;
    this.lines = [];
    this.buttons = [];
    this.leaveAlone = 0;
    list.addEventListener("click", event => {
      const line = this.lines[this.buttons.indexOf(event.target.closest("button"))];
      if (line) seek(line.at);
    });
    list.addEventListener("keydown", event => {
      const index = this.buttons.indexOf(event.target.closest("button"));
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (index < 0 || !step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.buttons[index + step]?.focus();
    });
    // Somebody who reads elsewhere in it is not pulled back for a while.
    for (const name of ["wheel", "touchmove", "pointerdown"])
      list.addEventListener(name, () => { this.leaveAlone = performance.now() + 5000; }, { passive: true });
  }

  show(view) {
    const fresh = view.chat;
    const known = this.lines.length;
    const goesOn = known > 0 && fresh.length >= known && fresh[known - 1].at === this.lines[known - 1].at
      && fresh[known - 1].text === this.lines[known - 1].text;
    if (!goesOn) {
      this.buttons = [];
      this.list.replaceChildren();
      this.current = undefined;
    }
    for (const line of fresh.slice(this.buttons.length)) {
      const button = element("button", { type: "button", tabIndex: -1, class: `line ${line.kind}` },
        element("time", { textContent: line.history ? "before" : clock(line.at) }),
        element("span", { class: "what", dir: "auto" },
          ...(line.name ? [element("b", { dir: "auto", textContent: line.name })] : []),
          element("span", { dir: "auto", textContent: line.text })));
      this.buttons.push(button);
      this.list.append(element("li", {}, button));
    }
    this.lines = fresh;
    this.empty.hidden = fresh.length > 0;
    if (this.current === undefined && this.buttons[0]) this.buttons[0].tabIndex = 0;
  }

  set time(seconds) {
    // The last line that was written by then. A click goes to a line's own moment, which a file knows to the millisecond.
    let low = 0, high = this.lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lines[middle].at <= seconds + 0.002) low = middle + 1; else high = middle;
    }
    const index = low - 1;
    if (index === this.current) return;
    const before = this.buttons[this.current], now = this.buttons[index];
    for (const button of this.buttons.filter(button => button.tabIndex === 0)) button.tabIndex = -1;
    before?.removeAttribute("aria-current");
    (now ?? this.buttons[0])?.setAttribute("tabindex", "0");
    this.current = index;
    if (!now) return;
    now.setAttribute("aria-current", "true");
    if (performance.now() < this.leaveAlone) return;
    const line = now.parentElement;
    const top = line.offsetTop - this.list.offsetTop;
    // Only the list is scrolled, never the page.
    this.list.scrollTo({ top: top - this.list.clientHeight / 2 + line.offsetHeight / 2, behavior: "auto" });
  }
}
