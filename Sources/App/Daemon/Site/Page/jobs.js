// What is done with recordings after their end, when the machine has room for it.
const of = id => document.getElementById(id);
const words = { render: "drawing", pictures: "making pictures of" };

/** In one line: what is being done, and how much waits. */
export function showJobs(jobs) {
  const running = jobs.filter(job => job.state !== "waiting").map(job => {
    const share = job.state === "suspended" ? " (stands still while the machine is needed)"
      : job.kind === "render" && job.progress > 0 ? ` (${Math.floor(job.progress * 100)} %)` : "";
    return `${words[job.kind] ?? job.kind} ${job.folder.split("/").pop()}${share}`;
  });
  const waiting = jobs.length - running.length;
  const parts = [...running, ...(waiting ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for room`] : [])];
  of("jobs").hidden = parts.length === 0;
  of("jobs").textContent = `After the call: ${parts.join(", ")}.`;
}
