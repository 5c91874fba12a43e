import { ApiProblem, toApiProblem } from "./api-problem.ts";

/** How a client reaches a service. */
export interface ClientSettings {
  /** The address of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The access token, or a function that answers one before each call. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The `fetch` to use; that of the platform unless given. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a call is sent again after 429, 502, 503, 504 or no answer; 3 unless given. */
  readonly retries?: number | undefined;
  /** Milliseconds that one sending may take; 60,000 unless given. */
  readonly timeout?: number | undefined;
}

/** The options of one call beside its payload. */
export interface CallOptions {
  /** The revision at which alone the call runs: the `etag` of an answer, or several for a batch. */
  readonly ifMatch?: string | readonly string[] | undefined;
  /** True for a dry run, which does everything but write. */
  readonly dryRun?: boolean | undefined;
  /** Makes a repeat safe; made by itself for every write unless given. False sends none. */
  readonly idempotencyKey?: string | false | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False: a write that became a job answers at once; otherwise the call waits for the job's end. */
  readonly wait?: boolean | undefined;
  /** Called with the progress of a job while the call waits for it. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

/** The answer of an action, with the headers that concern it. */
export interface Answer<T> {
  readonly body: T;
  /** 200, or 202 for a job that is not waited for. */
  readonly status: number;
  /** The model's revision as `ifMatch` takes it. */
  readonly etag?: string;
  readonly revision?: number;
  /** True where it is the stored answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly requestId?: string;
  /** The `cursor` of the next page of a list. */
  readonly next?: string;
}

/** Runs an action once, sending it again where that is safe; throws `ApiProblem`. */
export async function callAction(
  settings: ClientSettings,
  action: string,
  payload: object,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const { idempotencyKey: given, dryRun } = options;
  const isOurs = given === undefined && !dryRun && takesKey(settings.url, action);
  const key = isOurs ? createIdempotencyKey() : given === false ? undefined : given;
  try {
    return await sendUntilAnswered(settings, action, payload, options, key);
  } catch (error) {
    if (!isOurs || !takesKey.refused(settings.url, action, error)) throw error;
    return sendUntilAnswered(settings, action, payload, options, undefined);
  }
}

async function sendUntilAnswered(
  settings: ClientSettings,
  action: string,
  payload: object,
  options: CallOptions,
  key: string | undefined,
): Promise<Answer<unknown>> {
  const isSafe = key !== undefined || options.dryRun === true || takesKey.isRead(action);
  const { retries = 3 } = settings;
  for (let sent = 0; ; sent++) {
    try {
      return await sendOnce(settings, action, payload, options, key);
    } catch (error) {
      const pause = sent < retries ? computePause(sent, error, isSafe) : undefined;
      if (pause === undefined) throw error;
      await waitToSend(pause, options.signal);
    }
  }
}

async function sendOnce(
  settings: ClientSettings,
  action: string,
  payload: object,
  { ifMatch, dryRun, signal }: CallOptions,
  key: string | undefined,
): Promise<Answer<unknown>> {
  const { url, token, fetch: send = globalThis.fetch, timeout = 60_000 } = settings;
  const bearer = typeof token === "function" ? await token() : token;
  const late = AbortSignal.timeout(timeout);
  const request: RequestInit = {
    method: "POST",
    headers: {
      accept: "application/json, text/plain;q=0.9, application/problem+json",
      "content-type": "application/json",
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(ifMatch !== undefined && { "if-match": formatEntityTags(ifMatch) }),
      ...(dryRun && { "dry-run": "true" }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify(payload),
    signal: signal ? AbortSignal.any([signal, late]) : late,
    // The token and the payload are for this service only.
    redirect: "manual",
  };
  const target = `${url.replace(/\/+$/, "")}/api/${action}`;
  let answer: Response;
  let body: unknown;
  try {
    answer = await send(target, request);
    body = parseBody(answer, await answer.text());
  } catch (error) {
    // A call that its caller aborted is no problem of the service.
    if (signal?.aborted) throw signal.reason;
    const why = late.aborted ? `did not answer within ${timeout / 1000} seconds` : "cannot be reached";
    const members = { status: 0, title: "No answer", retryable: true, idempotencyKey: key };
    throw new ApiProblem("no_answer", `${url} ${why}`, members, { cause: error });
  }
  if (!answer.ok || body === undefined) throw toApiProblem(answer, body, key);
  return toAnswer(answer, body);
}

function toAnswer(answer: Response, body: unknown): Answer<unknown> {
  const header = (name: string): string | undefined => answer.headers.get(name) ?? undefined;
  // The revision, without the form this answer came in.
  const etag = header("etag")
    ?.replaceAll('"', "")
    .replace(/-gzip$/, "");
  const revision = /-(\d+)(?:\.\d+)?$/.exec(etag ?? "")?.[1];
  const requestId = header("x-request-id");
  const cursor = /[?&]cursor=([^&>]*)/.exec(header("link") ?? "")?.[1];
  return {
    body,
    status: answer.status,
    replayed: header("idempotency-replayed") === "true",
    ...(etag !== undefined && { etag }),
    ...(revision !== undefined && { revision: Number(revision) }),
    ...(requestId !== undefined && { requestId }),
    ...(cursor !== undefined && { next: decodeURIComponent(cursor) }),
  };
}

/** The body of an answer of the service; undefined where it is not one. */
function parseBody(answer: Response, text: string): unknown {
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/plain")) return answer.ok ? text : undefined;
  if (!/json/.test(type)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formatEntityTags(etags: string | readonly string[]): string {
  const list = typeof etags === "string" ? etags.split(",") : etags;
  return list.map((tag) => `"${tag.trim().replace(/^"|"$/g, "")}"`).join(", ");
}

/** A fresh idempotency key. Browsers offer `randomUUID` on secure pages only. */
function createIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The names of actions that write nothing. */
const READ =
  /(^|_)(get|list|search|export|export_as|export_version|compare|compare_as)$|^(inspect|history)_|^(ai_agents_instructions|can|sign_in_options|whoami)$/;

/** Actions that refused an idempotency key, by service: those that answer secrets, and those that are no writes. */
const refusing = new Map<string, Set<string>>();

/** True if a call gets an idempotency key: by its name, and as learned from the service. */
export function takesKey(url: string, action: string): boolean {
  return !takesKey.isRead(action) && !refusing.get(url)?.has(action);
}

/** True for an action that may be sent twice without a key. */
takesKey.isRead = (action: string): boolean => READ.test(action.slice(action.indexOf("/") + 1));

/** Whether a call failed for its key alone; if so, the next one is sent without. */
takesKey.refused = (url: string, action: string, error: unknown): boolean => {
  if (!(error instanceof ApiProblem) || error.code !== "bad_precondition") return false;
  if (!error.message.startsWith("Idempotency-Key")) return false;
  const known = refusing.get(url) ?? new Set();
  refusing.set(url, known.add(action));
  return true;
};

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE = 200;
/** Seconds; a service that asks for more is given up on. */
const LONGEST_WAIT = 30;

/**
 * Milliseconds to wait before a call is sent again, after it was sent again `before` times; undefined where it must not
 * be. `isSafe`: doing it twice comes to the same. Otherwise only a 429 is repeated, which did nothing.
 */
function computePause(before: number, error: unknown, isSafe: boolean): number | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { status, code, retryAfter } = error;
  if (code !== "no_answer" && !RETRIED.has(status)) return undefined;
  if (!isSafe && status !== 429) return undefined;
  if (retryAfter !== undefined && retryAfter > LONGEST_WAIT) return undefined;
  // Spread, so that clients that failed together do not come back together.
  const spread = FIRST_PAUSE * 2 ** before * (0.5 + Math.random() / 2);
  return Math.max(spread, (retryAfter ?? 0) * 1000);
}

/** Waits; an abort ends it with the caller's reason. */
export function waitToSend(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
