/** Scrolls a row of links until the one to the page that is shown is in sight; to be called with the row once it is drawn. */
export function showCurrent(row: HTMLElement | null): void {
  row?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
