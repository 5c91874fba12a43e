/** The script of the page: it hides what does not have the words that are typed. Nothing of a model is in it. */
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
