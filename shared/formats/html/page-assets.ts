export const STYLE = `
:root { color-scheme: light dark; --page: #fbfcfd; --box: #ffffff; --line: #cfd5dd; --text: #1b1f24; --dim: #5c6470; --accent: #2552e0; --hit: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --page: #131619; --box: #1b1f24; --line: #3a414b; --text: #e3e6eb; --dim: #9aa2ae; --accent: #6f9bfb; --hit: #4a370a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); grid-template-rows: auto 1fr; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.25rem; padding: 1rem 2rem; border-bottom: 1px solid var(--line); background: var(--box); }
h1 { margin: 0; font-size: 1.5rem; overflow-wrap: anywhere; }
.facts, #found { margin: 0; color: var(--dim); }
.search { margin-left: auto; color: var(--dim); }
input { font: inherit; width: 18rem; max-width: 100%; padding: 0.35rem 0.6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--page); color: var(--text); }
input:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0.5rem 2rem 2rem; border-right: 1px solid var(--line); font-size: 14px; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--dim); }
nav a { display: block; padding: 0.1rem 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); }
main { padding: 1.5rem 2rem 4rem; max-width: 75rem; }
section { margin-bottom: 2rem; }
.diagram { overflow: auto; border: 1px solid var(--line); border-radius: 8px; max-height: 80vh; background: #fbfcfd; }
.diagram svg { display: block; }
.part { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; background: var(--box); }
.part h3 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere; }
.part h3 code { font-weight: 400; color: var(--dim); }
.sort { margin: 0; font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--dim); }
.prose { white-space: pre-line; overflow-wrap: anywhere; max-width: 70ch; }
.meta { color: var(--dim); font-size: 14px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--dim); font-weight: 500; border-top: 0; }
tr.hit td { background: var(--hit); }
code { font: 0.9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
a { color: var(--accent); }
[hidden] { display: none; }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; max-height: 14rem; border-right: 0; border-bottom: 1px solid var(--line); padding: 0.5rem 1rem; } main { padding: 1rem; } }
@media print { nav, .search, #found { display: none; } body { display: block; } .part { break-inside: avoid; } }
`;

/** Script that hides the parts without the typed words. */
export const SEARCH_SCRIPT = `(() => {
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const parts = [...document.querySelectorAll("[data-part]")];
  const texts = parts.map((part) => part.textContent.toLowerCase());
  const entries = [...document.querySelectorAll("nav a")];
  const show = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    parts.forEach((part, i) => {
      const fits = words.every((word) => texts[i].includes(word));
      part.hidden = !fits;
      if (fits) count++;
      const entry = entries.find((one) => one.getAttribute("href") === "#" + part.id);
      if (entry) entry.hidden = !fits;
      for (const row of part.querySelectorAll("tbody tr")) {
        const text = row.textContent.toLowerCase();
        row.classList.toggle("hit", words.length > 0 && words.some((word) => text.includes(word)));
      }
    });
    found.textContent = words.length === 0 ? "" : count + " of " + parts.length;
  };
  box.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === box) return;
    event.preventDefault();
    box.focus();
  });
})();`;
