// Times and sizes in words.

/** Seconds as a clock: 0:05, 12:05, 1:02:05. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const two = number => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  return whole >= 3600
    ? `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** Seconds as people say them, for screen readers: 1 hour 2 minutes 5 seconds. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts = [[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]];
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return said.length ? said.join(" ") : "0 seconds";
}

/** Bytes as 830 kB, 12 MB, 1.5 GB. */
export function size(bytes) {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

export const sources = {
  "microphone": "microphone", "camera": "camera", "screen-share": "screen", "screen-share-audio": "screen's sound",
  "unknown": "track",
};

/** Makes an element. What comes from a recording goes in as text, never as markup. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("aria-") || key === "dir" || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}
