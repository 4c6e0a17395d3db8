// Asks for the token, and comes back to where somebody wanted to go.
const form = document.getElementById("form"), token = document.getElementById("token"), fault = document.getElementById("fault");

form.addEventListener("submit", async event => {
  event.preventDefault();
  try {
    const answer = await fetch("/api/session", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: token.value }),
    });
    if (answer.ok) return location.reload();
    fault.textContent = answer.status === 401 ? "This is not the daemon's token." : `It did not work (${answer.status}).`;
  } catch {
    fault.textContent = "The daemon does not answer.";
  }
  fault.hidden = false;
  token.select();
});
