/** Gives an element the focus when it is drawn: in a dialog, for what takes the place of the button that had it. */
export const focusAtOnce = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
