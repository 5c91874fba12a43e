/** The URL of the page at load time, before the router changes it. */
export const arrival = new URL(globalThis.location.href);
