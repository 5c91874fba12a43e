/** What was typed for a field that is not there yet, while it is kept. */
let kept: { text: string; readonly end: () => void } | undefined;

/**
 * Keeps what is typed from now on, wherever the focus is, for a field that is about to have it. Escape gives the field up
 * before it is there.
 */
export function keepEarlyKeys(giveUp: () => void): void {
  endEarlyKeys();
  const pressed = (event: KeyboardEvent): void => {
    if (!kept || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape") giveUp();
    else if (event.key === "Backspace") kept.text = kept.text.slice(0, -1);
    else if (event.key.length === 1) kept.text += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", pressed, { capture: true });
  kept = { text: "", end: () => document.removeEventListener("keydown", pressed, { capture: true }) };
}

/** What was typed until now; from here on keys go where the focus is. */
export function endEarlyKeys(): string {
  const text = kept?.text ?? "";
  kept?.end();
  kept = undefined;
  return text;
}
