import type { Provider } from "./provider.ts";
import { beginSession } from "./session.ts";

/** What the window tells the page that opened it. */
interface Told {
  readonly token: string;
  readonly seconds: number;
}

/**
 * Signs in again at a provider in a window of its own, so that the page keeps what was typed; the session begins when that
 * window tells the token. Answers a function that stops waiting.
 */
export function signInInWindow(provider: Provider, kept: boolean): () => void {
  const channel = `metaction.${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const told = new BroadcastChannel(channel);
  told.onmessage = ({ data }: MessageEvent<Told>) => {
    told.close();
    beginSession(data.token, data.seconds, kept);
  };
  const query = new URLSearchParams({ at: provider.issuer, channel });
  globalThis.open(`/sign-in?${query}`, "_blank", "popup,width=520,height=720");
  return () => told.close();
}

/** Tells the page that waits for it the token, and closes this window. */
export function tellToken(channel: string, told: Told): void {
  const line = new BroadcastChannel(channel);
  line.postMessage(told);
  line.close();
  globalThis.close();
}
