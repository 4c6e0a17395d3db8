// Who was there and who spoke when: a row a person, on one time axis, with marks and gaps.
import { clock, element, spoken } from "./words.js";

const rowHeight = 26;
const rulerHeight = 22;

export class Timeline {
  /** @param seek is called with the time of a place that was clicked. */
  constructor(root, seek) {
    this.root = root;
    this.names = element("ol", { class: "names" });
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.head = element("div", { class: "head" });
    this.hint = element("div", { class: "hint", hidden: true });
    this.area = element("div", { class: "area" }, this.canvas, this.head, this.hint);
    root.append(this.names, this.area);
    const time = event => {
      const box = this.canvas.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.duration;
    };
    this.area.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      this.area.setPointerCapture(event.pointerId);
      seek(time(event));
      this.isDragging = true;
    });
    this.area.addEventListener("pointermove", event => {
      if (this.isDragging) seek(time(event));
      const box = this.area.getBoundingClientRect();
      this.hint.hidden = event.pointerType === "touch";
      this.hint.textContent = this.describe(time(event), event.clientY - box.top);
      const at = Math.min(box.width - this.hint.offsetWidth, Math.max(0, event.clientX - box.left + 8));
      this.hint.style.transform = `translate(${at}px, 0)`;
    });
    for (const name of ["pointerup", "pointercancel"])
      this.area.addEventListener(name, () => { this.isDragging = false; });
    this.area.addEventListener("pointerleave", () => { this.hint.hidden = true; });
    new ResizeObserver(() => this.draw()).observe(this.area);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(view, duration) {
    this.view = view;
    this.duration = duration;
    const owners = new Map(view.tracks.map(track => [track.track, track.participant]));
    this.rows = view.people.map(person => ({
      ...person, tracks: view.tracks.filter(track => track.participant === person.id),
      gaps: view.gaps.filter(gap => gap.track !== null && owners.get(gap.track) === person.id),
    }));
    this.names.replaceChildren(...this.rows.map(row => {
      const { time, share, turns } = row.speech;
      const percent = `${Math.round(share * 100)} %`;
      const often = turns === 1 ? "once" : `${turns} times`;
      const said = time > 0 ? `${row.name}, spoke ${often}, for ${spoken(time)}, ${percent}` : row.name;
      return element("li", { title: said, "aria-label": said },
        element("span", { class: "who", dir: "auto", textContent: row.name }),
        ...(time > 0 ? [element("span", { class: "spoke" }, element("span", { class: "long", textContent: `${clock(time)} · ` }), percent)] : []));
    }));
    this.root.hidden = this.rows.length === 0 && view.marks.length === 0;
    this.draw();
  }

  /** Moves the line of now. */
  set time(seconds) {
    this.head.style.left = `${this.duration > 0 ? Math.min(1, seconds / this.duration) * 100 : 0}%`;
  }

  describe(seconds, y) {
    const row = this.rows?.[Math.floor((y - rulerHeight) / rowHeight)];
    const mark = y < rulerHeight ? this.view.marks.findLast(mark => mark.at <= seconds) : null;
    return [clock(seconds), row?.name ?? mark?.text].filter(Boolean).join("  ");
  }

  draw() {
    if (!this.view || !this.area.clientWidth) return;
    const width = this.area.clientWidth, height = rulerHeight + this.rows.length * rowHeight;
    const scale = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(this.root);
    const colour = name => style.getPropertyValue(`--${name}`).trim();
    const x = seconds => Math.min(1, Math.max(0, seconds / Math.max(0.001, this.duration))) * width;
    const bar = ([from, to], top, tall, fill, least = 1) => {
      const left = x(from), right = Math.max(left + least, x(to ?? this.duration));
      pen.fillStyle = fill;
      pen.fillRect(left, top, right - left, tall);
    };
    this.ruler(pen, width, height, x, colour);
    this.rows.forEach((row, index) => {
      const top = rulerHeight + index * rowHeight;
      for (const stay of row.stays) bar(stay, top + 4, rowHeight - 8, colour("there"));
      for (const track of row.tracks) {
        const at = { camera: 5, "screen-share": 8 }[track.source];
        if (at) bar([track.from, track.to], top + rowHeight - at - 1, 2, colour(track.source));
      }
      for (const span of row.speaking) bar(span, top + 5, rowHeight - 14, colour("speaking"), 1.5);
      for (const gap of row.gaps) this.hatch(pen, x(gap.span[0]), x(gap.span[1] ?? this.duration), top + 4, rowHeight - 8, colour("gap"));
    });
    for (const gap of this.view.gaps.filter(gap => gap.track === null))
      this.hatch(pen, x(gap.span[0]), x(gap.span[1] ?? this.duration), rulerHeight, height - rulerHeight, colour("gap"));
    for (const mark of this.view.marks) {
      pen.fillStyle = colour("mark");
      pen.fillRect(x(mark.at), rulerHeight - 8, 1.5, height);
      pen.beginPath();
      pen.moveTo(x(mark.at), rulerHeight - 8);
      pen.lineTo(x(mark.at) + 8, rulerHeight - 4);
      pen.lineTo(x(mark.at), rulerHeight);
      pen.fill();
    }
  }

  ruler(pen, width, height, x, colour) {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400];
    const step = steps.find(step => x(step) >= 64) ?? this.duration;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (let time = 0; step > 0 && time <= this.duration; time += step) {
      pen.fillStyle = colour("line");
      pen.fillRect(x(time), rulerHeight - 5, 1, height - rulerHeight + 5);
      const label = clock(time);
      if (x(time) + 4 + pen.measureText(label).width > width) continue;
      pen.fillStyle = colour("quiet");
      pen.fillText(label, x(time) + 4, rulerHeight / 2 - 3);
    }
  }

  hatch(pen, left, right, top, tall, colour) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, Math.max(2, right - left), tall);
    pen.clip();
    pen.globalAlpha = 0.25;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colour;
    pen.beginPath();
    for (let at = left - tall; at < right + 2; at += 5) {
      pen.moveTo(at, top + tall);
      pen.lineTo(at + tall, top);
    }
    pen.stroke();
    pen.restore();
  }
}
