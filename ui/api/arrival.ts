/** The address with which the page was loaded, before the router makes it that of a screen. */
export const arrival = new URL(globalThis.location.href);
