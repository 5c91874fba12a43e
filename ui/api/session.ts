import { createWatchedValue } from "./watched-value.ts";

/** The session of this page. */
export interface Session {
  readonly token: string;
  /** Time when the token expires, in milliseconds. */
  readonly ends: number;
  /** True to keep the session until the tab closes; otherwise a reload ends it. */
  readonly kept: boolean;
}

const STORAGE_KEY = "metaction.session";

const current = createWatchedValue({ session: readTabSession(), isAskedAgain: false });
let waiters: { readonly resume: () => void; readonly refuse: () => void }[] = [];

function readTabSession(): Session | undefined {
  const text = globalThis.sessionStorage?.getItem(STORAGE_KEY);
  if (!text) return undefined;
  try {
    const { token, ends } = JSON.parse(text) as Partial<Session>;
    return typeof token === "string" && typeof ends === "number" ? { token, ends, kept: true } : undefined;
  } catch {
    return undefined;
  }
}

/** Begins a session with an access token and resumes the calls that waited for one. */
export function beginSession(token: string, seconds: number, isKept: boolean): void {
  const session = { token, ends: Date.now() + seconds * 1000, kept: isKept };
  if (isKept) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ token, ends: session.ends }));
  else sessionStorage.removeItem(STORAGE_KEY);
  const queue = waiters;
  waiters = [];
  current.set({ session, isAskedAgain: false });
  for (const { resume } of queue) resume();
}

/** Ends the session and discards the token; waiting calls are refused. */
export function endSession(): void {
  sessionStorage.removeItem(STORAGE_KEY);
  const queue = waiters;
  waiters = [];
  current.set({ session: undefined, isAskedAgain: false });
  for (const { refuse } of queue) refuse();
}

/** Returns the current access token. */
export function getToken(): string | undefined {
  return current.get().session?.token;
}

/** Asks the person to sign in again; resolves with false if the session was ended. */
export function waitForSignIn(): Promise<boolean> {
  const result = new Promise<boolean>((resolve) => {
    waiters.push({ resume: () => resolve(true), refuse: () => resolve(false) });
  });
  current.set({ ...current.get(), isAskedAgain: true });
  return result;
}

/** Returns the current session; undefined while nobody is signed in. */
export function useSession(): Session | undefined {
  return current.useSelected(({ session }) => session);
}

/** Returns true while calls wait for the person to sign in again. */
export function useIsWaitingForSignIn(): boolean {
  return current.useSelected(({ isAskedAgain }) => isAskedAgain);
}

interface TokenMessage {
  readonly token: string;
  readonly seconds: number;
}

/** Signs in again in another window, so that unsaved input stays. Returns a function that stops it. */
export function openSignInWindow(issuer: string, isKept: boolean): () => void {
  const channel = `metaction.${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const broadcast = new BroadcastChannel(channel);
  broadcast.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    broadcast.close();
    beginSession(data.token, data.seconds, isKept);
  };
  const query = new URLSearchParams({ at: issuer, channel });
  globalThis.open(`/sign-in?${query}`, "_blank", "popup,width=520,height=720");
  return () => broadcast.close();
}

/** Sends the token to the page that waits for it and closes this window. */
export function sendToken(channel: string, message: TokenMessage): void {
  const broadcast = new BroadcastChannel(channel);
  broadcast.postMessage(message);
  broadcast.close();
  globalThis.close();
}
