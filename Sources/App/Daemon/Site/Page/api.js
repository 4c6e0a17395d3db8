// What the daemon is asked for.

/** Asks; what is refused becomes an error with the daemon's own sentence. */
export async function ask(path, { method = "GET", body } = {}) {
  let answer;
  try {
    answer = await fetch(path, method === "GET" ? { cache: "no-cache" } : {
      method, headers: { "Content-Type": "application/json" }, body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    });
  } catch {
    throw new Error("the daemon does not answer");
  }
  if (answer.status === 401) {
    location.reload();
    return new Promise(() => {});
  }
  const said = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.error ?? `it did not work (${answer.status})`);
  return said;
}

/** A query of what is set. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return set.length ? "?" + new URLSearchParams(set) : "";
}
