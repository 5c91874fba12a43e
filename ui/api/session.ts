import { useSyncExternalStore } from "react";

/** Who is signed in on this page, as far as the page has to know. */
export interface Session {
  readonly token: string;
  /** When the token ends, in milliseconds. */
  readonly ends: number;
  /** Whether it is kept until the browser's tab is closed; otherwise a reload ends it. */
  readonly kept: boolean;
}

const KEPT = "metaction.session";

let session: Session | undefined = readTabSession();
/** Calls that wait until somebody signs in again. */
let waiting: { readonly go: () => void; readonly stop: () => void }[] = [];
let askedAgain = false;
const watchers = new Set<() => void>();

const notifyListeners = (): void => {
  for (const watcher of watchers) watcher();
};

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function readTabSession(): Session | undefined {
  const text = globalThis.sessionStorage?.getItem(KEPT);
  if (!text) return undefined;
  try {
    const { token, ends } = JSON.parse(text) as Partial<Session>;
    return typeof token === "string" && typeof ends === "number" ? { token, ends, kept: true } : undefined;
  } catch {
    return undefined;
  }
}

/** Begins a session with an access token, and lets calls go on that waited for one. */
export function beginSession(token: string, seconds: number, kept: boolean): void {
  session = { token, ends: Date.now() + seconds * 1000, kept };
  if (kept) sessionStorage.setItem(KEPT, JSON.stringify({ token, ends: session.ends }));
  else sessionStorage.removeItem(KEPT);
  askedAgain = false;
  const gone = waiting;
  waiting = [];
  notifyListeners();
  for (const { go } of gone) go();
}

/** Ends the session and forgets the token; calls that waited for a new one are refused. */
export function endSession(): void {
  session = undefined;
  askedAgain = false;
  sessionStorage.removeItem(KEPT);
  const stopped = waiting;
  waiting = [];
  notifyListeners();
  for (const { stop } of stopped) stop();
}

/** The access token of the moment. */
export function getToken(): string | undefined {
  return session?.token;
}

/** Asks the person to sign in again; resolves when a new session has begun, with false when it was ended instead. */
export function waitForSignIn(): Promise<boolean> {
  askedAgain = true;
  const again = new Promise<boolean>((resolve) => {
    waiting.push({ go: () => resolve(true), stop: () => resolve(false) });
  });
  notifyListeners();
  return again;
}

/** The session of the moment, undefined where nobody is signed in. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(watch, () => session);
}

/** True while calls wait for the person to sign in again. */
export function useIsWaitingForSignIn(): boolean {
  return useSyncExternalStore(watch, () => askedAgain);
}

/** What the window tells the page that opened it. */
interface TokenMessage {
  readonly token: string;
  readonly seconds: number;
}

/**
 * Signs in again at a provider in a window of its own, so that the page keeps what was typed; the session begins when that
 * window tells the token. Answers a function that stops waiting.
 */
export function openSignInWindow(issuer: string, kept: boolean): () => void {
  const channel = `metaction.${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const told = new BroadcastChannel(channel);
  told.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    told.close();
    beginSession(data.token, data.seconds, kept);
  };
  const query = new URLSearchParams({ at: issuer, channel });
  globalThis.open(`/sign-in?${query}`, "_blank", "popup,width=520,height=720");
  return () => told.close();
}

/** Tells the page that waits for it the token, and closes this window. */
export function sendToken(channel: string, told: TokenMessage): void {
  const line = new BroadcastChannel(channel);
  line.postMessage(told);
  line.close();
  globalThis.close();
}
