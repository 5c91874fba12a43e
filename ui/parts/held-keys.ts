/** The keys that menus know. */
const KEYS: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "Home", "End", "Enter", " "]);

/** What was pressed, while keys are held. */
let held: { readonly keys: string[]; readonly end: () => void } | undefined;

/** Holds the keys that are pressed from now on for a menu that is asked for and not there yet. Escape and Tab give it up. */
export function holdKeys(giveUp: () => void): void {
  dropKeys();
  const keys: string[] = [];
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" || event.key === "Tab") {
      dropKeys();
      giveUp();
      return;
    }
    if (!KEYS.has(event.key)) return;
    keys.push(event.key);
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", pressed, { capture: true });
  held = { keys, end: () => document.removeEventListener("keydown", pressed, { capture: true }) };
}

/** Forgets what was pressed; from here on keys go where the focus is. */
export function dropKeys(): void {
  held?.end();
  held = undefined;
}

/** Hands the keys that were held to what has the focus, one after the other, as if they were pressed now. */
export function handOverKeys(): void {
  const keys = held?.keys ?? [];
  dropKeys();
  for (const key of keys) {
    const place = document.activeElement;
    if (!(place instanceof HTMLElement)) return;
    const isLeft = place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    // A browser makes a click of these keys only where a person presses them.
    if (isLeft && (key === "Enter" || key === " ")) place.click();
  }
}
