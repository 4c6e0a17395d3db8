// What is asked of people, and what they are told.
const of = id => document.getElementById(id);
let hiding;

/** Says something for a while. */
export function notice(text) {
  clearTimeout(hiding);
  of("notice").textContent = text;
  of("notice").hidden = false;
  hiding = setTimeout(() => { of("notice").hidden = true; }, 6000);
}

/** The same of an error, as a sentence. */
export function complain(error) {
  notice(`Sorry, ${error.message}.`);
}

/** Asks whether something is to be done. */
export function confirmed({ title, text, yes, no }) {
  const dialog = of("ask");
  of("ask-title").textContent = title;
  of("ask-text").textContent = text;
  of("ask-yes").textContent = yes;
  of("ask-no").textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  of("ask-no").focus();
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}
of("ask-yes").addEventListener("click", () => of("ask").close("yes"));
of("ask-no").addEventListener("click", () => of("ask").close("no"));
