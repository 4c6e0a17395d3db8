// The seek bar: how loud the call is behind it, and what is at a place of it, before one goes there.
import { clock, element } from "./words.js";

/** Half of the handle, beyond which its middle does not go at both ends. */
const inset = 8;

export class SeekBar {
  /**
   * @param root what holds the input, the canvas behind it and the preview.
   * @param seek is called with the time that is chosen.
   */
  constructor(root, seek) {
    this.root = root;
    this.input = root.querySelector("input");
    this.canvas = root.querySelector("canvas");
    this.preview = root.querySelector(".preview");
    this.picture = element("div", { class: "picture" });
    this.when = element("span", { class: "when" });
    this.chapter = element("span", { class: "chapter", dir: "auto" });
    this.preview.append(this.picture, element("div", { class: "words" }, this.when, this.chapter));
    this.length = 1;
    this.marks = [];
    this.thumbnails = [];
    this.peaks = [];
    this.input.addEventListener("input", () => {
      seek(Number(this.input.value));
      this.show(Number(this.input.value));
    });
    const { input } = this;
    input.addEventListener("pointerdown", event => { this.isHeld = true; this.show(this.timeAt(event)); });
    input.addEventListener("pointermove", event => {
      if (event.pointerType !== "touch" || this.isHeld) this.show(this.timeAt(event));
    });
    for (const name of ["pointerup", "pointercancel"])
      input.addEventListener(name, event => { this.isHeld = false; if (event.pointerType === "touch") this.hide(); });
    input.addEventListener("pointerleave", () => { if (!this.isHeld) this.hide(); });
    // Who comes by keys sees where they are, too, until they go or do not want to.
    input.addEventListener("focus", () => { if (input.matches(":focus-visible")) { this.isFollowing = true; this.show(this.now ?? 0); } });
    input.addEventListener("blur", () => { this.isHeld = false; this.hide(); });
    input.addEventListener("keydown", event => {
      if (event.key === "Escape") this.hide();
      else if (event.key.startsWith("Arrow")) { this.isFollowing = true; this.show(this.now ?? 0); }
    });
    new ResizeObserver(() => this.draw()).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Shows what is known of the call. What there is no file for is left out. */
  know(view, length) {
    this.length = length;
    this.marks = view.marks;
    this.input.max = length;
    if (view.thumbnails !== this.thumbnailFile) {
      this.thumbnailFile = view.thumbnails;
      this.read(view.thumbnails, text => { this.thumbnails = thumbnails(text, view.thumbnails); });
    }
    if (view.waveform !== this.waveformFile) {
      this.waveformFile = view.waveform;
      this.read(view.waveform, text => this.wave(JSON.parse(text)));
    }
  }

  /** Reads a file; without it, all goes on as before. */
  async read(file, take) {
    try {
      const answer = file ? await fetch(file, { cache: "no-cache" }) : null;
      if (answer?.ok) take(await answer.text());
    } catch { /* The call can be watched without. */ }
  }

  wave({ interval, peaks }) {
    if (!(interval > 0) || !Array.isArray(peaks) || !peaks.length) return;
    this.interval = interval / 1e6;
    this.peaks = peaks.map(peak => Math.min(1, Math.max(0, Number(peak) / 255 || 0)));
    this.root.dataset.wave = "";
    this.draw();
  }

  /** The time of now. */
  set time(seconds) {
    this.now = seconds;
    if (document.activeElement !== this.input || !this.input.matches(":active")) this.input.value = seconds;
    if (this.isFollowing && !this.isHeld && !this.preview.hidden && document.activeElement === this.input) this.show(seconds);
    const part = Math.round(this.x(seconds));
    if (part !== this.drawn) this.draw();
  }

  x(seconds) { return inset + Math.min(1, Math.max(0, seconds / this.length)) * (this.root.clientWidth - 2 * inset); }

  timeAt(event) {
    const box = this.input.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left - inset) / (box.width - 2 * inset))) * this.length;
  }

  // What is at a place.

  show(seconds) {
    const thumbnail = this.thumbnails.find(({ from, to }) => seconds >= from && seconds < to) ?? this.thumbnails.at(-1);
    this.picture.hidden = !thumbnail;
    if (thumbnail) {
      const { file, x, y, width, height } = thumbnail;
      Object.assign(this.picture.style, {
        width: `${width}px`, height: `${height}px`, backgroundImage: `url("${file}")`, backgroundPosition: `-${x}px -${y}px`,
      });
    }
    this.when.textContent = clock(seconds);
    const mark = this.marks.findLast(mark => mark.at <= seconds + 0.002);
    this.chapter.textContent = mark?.text ?? "";
    this.chapter.hidden = !mark;
    this.preview.style.maxWidth = `${Math.max(thumbnail?.width ?? 0, 160)}px`;
    this.preview.hidden = false;
    const half = this.preview.offsetWidth / 2, width = this.root.clientWidth;
    const at = Math.min(width - half, Math.max(half, this.x(seconds)));
    this.preview.style.transform = `translateX(${Math.round(at - half)}px)`;
  }

  hide() {
    this.isFollowing = false;
    this.preview.hidden = true;
  }

  // How loud it is.

  draw() {
    const { canvas } = this, width = this.root.clientWidth, height = this.root.clientHeight;
    this.drawn = Math.round(this.x(this.now ?? 0));
    if (!this.peaks.length || !width) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    const wide = Math.round(width * scale), tall = Math.round(height * scale);
    if (canvas.width !== wide || canvas.height !== tall) Object.assign(canvas, { width: wide, height: tall });
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.root);
    const [past, rest] = ["wave-past", "wave"].map(name => style.getPropertyValue(`--${name}`).trim());
    const step = 3;
    for (let left = inset; left < width - inset; left += step) {
      const index = x => Math.floor((x - inset) / (width - 2 * inset) * this.length / this.interval);
      let peak = 0;
      for (let at = index(left); at <= Math.max(index(left), index(left + step) - 1); at += 1) peak = Math.max(peak, this.peaks[at] ?? 0);
      // What is half as loud to the ear is a tenth of the pressure.
      const size = Math.max(1, Math.sqrt(peak) * (height - 2));
      pen.fillStyle = left < this.drawn ? past : rest;
      pen.fillRect(left, (height - size) / 2, step - 1, size);
    }
  }
}

/** The cues of a WebVTT file of thumbnails: from when until when which region of which file, beside it. */
export function thumbnails(text, place) {
  const seconds = stamp => stamp.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const cue = /^([\d:.]+) --> ([\d:.]+)\n([\w.-]+\.jpg)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;
  const folder = place.slice(0, place.lastIndexOf("/") + 1);
  return [...text.replaceAll("\r", "").matchAll(cue)].map(([, from, to, file, ...region]) => {
    const [x, y, width, height] = region.map(Number);
    return { from: seconds(from), to: seconds(to), file: folder + file, x, y, width, height };
  });
}
