/** Keys for menus and lists, in addition to characters for fields. */
const KEYS: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "Home", "End", "Enter", "Backspace"]);

/** The keys pressed since `holdKeys`; undefined while no keys are held. */
let held: { readonly keys: string[]; readonly stop: () => void } | undefined;

/** Holds back all keys for a part that is still loading. Escape and Tab call `cancel` instead. */
export function holdKeys(cancel: () => void): void {
  dropKeys();
  const keys: string[] = [];
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" || event.key === "Tab") {
      dropKeys();
      cancel();
      return;
    }
    if (event.key.length > 1 && !KEYS.has(event.key)) return;
    keys.push(event.key);
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKey, { capture: true });
  held = { keys, stop: () => document.removeEventListener("keydown", onKey, { capture: true }) };
}

/** Discards the held keys; the following keys go to the focused element again. */
export function dropKeys(): void {
  held?.stop();
  held = undefined;
}

/** Passes the held keys to the focused element, one after the other, as if they were pressed now. */
export function replayKeys(): void {
  const keys = held?.keys ?? [];
  dropKeys();
  for (const key of keys) {
    const target = document.activeElement;
    if (!(target instanceof HTMLElement)) return;
    const isUnhandled = target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    if (!isUnhandled) continue;
    if (target instanceof HTMLInputElement) typeInto(target, key);
    // A browser turns these keys into a click only when a person presses them.
    else if (key === "Enter" || key === " ") target.click();
  }
}

/** Does what a browser does for a key press in a field. */
function typeInto(field: HTMLInputElement, key: string): void {
  if (key !== "Backspace" && key.length > 1) return;
  const text = key === "Backspace" ? field.value.slice(0, -1) : field.value + key;
  // React notices only the setter of the element itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
