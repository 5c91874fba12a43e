import { ApiProblem, toApiProblem } from "./api-problem.ts";

/** Settings of a client. */
export interface ClientSettings {
  /** URL of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Access token, or a function that returns one before each call. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Retries after 429, 502, 503, 504 or no answer; default 3. */
  readonly retries?: number | undefined;
  /** Timeout of one request in milliseconds; default 60,000. */
  readonly timeout?: number | undefined;
}

/** Options of one call in addition to its payload. */
export interface CallOptions {
  /** Revision that the call requires: the `etag` of an answer, or several for a batch. */
  readonly ifMatch?: string | readonly string[] | undefined;
  /** True for a dry run, which writes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Run that the commit belongs to: the id that `model/run_begin` answered. */
  readonly run?: string | undefined;
  /** Makes a retry safe. Generated for every write unless given; false sends none. */
  readonly idempotencyKey?: string | false | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False returns at once when a write became a job; by default the call waits for the job. */
  readonly wait?: boolean | undefined;
  /** Called with the progress and the ref of a job while the call waits for it. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number }, jobRef: string) => void)
    | undefined;
}

/** Answer of an action, with its headers. */
export interface Answer<T> {
  readonly body: T;
  /** 200, or 202 for a job that was not awaited. */
  readonly status: number;
  /** The model's revision as `ifMatch` takes it. */
  readonly etag?: string;
  readonly revision?: number;
  /** True for the stored answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly requestId?: string;
  /** The `cursor` of the next page of a list. */
  readonly next?: string;
  /** Day on which a deprecated name that the call used may be removed (the header `Sunset`); absent if it used none. */
  readonly sunset?: string;
}

/** Calls an action, with retries where they are safe. Throws `ApiProblem`. */
export async function callAction(
  settings: ClientSettings,
  action: string,
  payload: object,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const { idempotencyKey: keyOption, dryRun } = options;
  const isOurs = keyOption === undefined && !dryRun && takesKey(settings.url, action);
  const key = isOurs ? createIdempotencyKey() : keyOption === false ? undefined : keyOption;
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
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(settings, action, payload, options, key);
    } catch (error) {
      const pause = attempt < retries ? computePause(attempt, error, isSafe) : undefined;
      if (pause === undefined) throw error;
      await waitToSend(pause, options.signal);
    }
  }
}

async function sendOnce(
  settings: ClientSettings,
  action: string,
  payload: object,
  { ifMatch, dryRun, run, signal }: CallOptions,
  key: string | undefined,
): Promise<Answer<unknown>> {
  const { url, token, fetch: send = globalThis.fetch, timeout = 60_000 } = settings;
  const bearer = typeof token === "function" ? await token() : token;
  const timeoutSignal = AbortSignal.timeout(timeout);
  const request: RequestInit = {
    method: "POST",
    headers: {
      accept: "application/json, text/plain;q=0.9, application/problem+json",
      "content-type": "application/json",
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(ifMatch !== undefined && { "if-match": formatEntityTags(ifMatch) }),
      ...(dryRun && { "dry-run": "true" }),
      ...(run !== undefined && { run }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify(payload),
    signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
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
    // The caller aborted the call.
    if (signal?.aborted) throw signal.reason;
    const reason = timeoutSignal.aborted ? `did not answer within ${timeout / 1000} seconds` : "cannot be reached";
    const members = { status: 0, title: "No answer", retryable: true, idempotencyKey: key };
    throw new ApiProblem("no_answer", `${url} ${reason}`, members, { cause: error });
  }
  if (!answer.ok || body === undefined) throw toApiProblem(answer, body, key);
  return toAnswer(answer, body);
}

function toAnswer(answer: Response, body: unknown): Answer<unknown> {
  const header = (name: string) => answer.headers.get(name) ?? undefined;
  // The revision, without the encoding of this answer.
  const etag = header("etag")
    ?.replaceAll('"', "")
    .replace(/-gzip$/, "");
  const revision = /-(\d+)(?:\.\d+)?$/.exec(etag ?? "")?.[1];
  const requestId = header("x-request-id");
  const sunset = header("sunset");
  const cursor = /[?&]cursor=([^&>]*)/.exec(header("link") ?? "")?.[1];
  return {
    body,
    status: answer.status,
    replayed: header("idempotency-replayed") === "true",
    ...(etag !== undefined && { etag }),
    ...(revision !== undefined && { revision: Number(revision) }),
    ...(requestId !== undefined && { requestId }),
    ...(cursor !== undefined && { next: decodeURIComponent(cursor) }),
    ...(sunset !== undefined && { sunset }),
  };
}

/** Returns the body of an answer; undefined if the answer is not from the service. */
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

function formatEntityTags(etags: string | readonly string[]) {
  const list = typeof etags === "string" ? etags.split(",") : etags;
  return list.map((tag) => `"${tag.trim().replace(/^"|"$/g, "")}"`).join(", ");
}

/** Creates an idempotency key. Browsers have `randomUUID` on secure pages only. */
function createIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const READ =
  /(^|_)(get|list|search|export|export_as|export_version|compare|compare_as)$|^(inspect|history)_|^(ai_agents_instructions|can|sign_in_options|whoami)$/;

/** Actions that refused an idempotency key, by service: they answer secrets or do not write. */
const refusing = new Map<string, Set<string>>();

/** True if a call gets an idempotency key: by its name, and as learned from the service. */
export function takesKey(url: string, action: string): boolean {
  return !takesKey.isRead(action) && !refusing.get(url)?.has(action);
}

/** True for an action that can be repeated without a key. */
takesKey.isRead = (action: string) => READ.test(action.slice(action.indexOf("/") + 1));

/** True for a call that failed because of its key; the next one is sent without. */
takesKey.refused = (url: string, action: string, error: unknown) => {
  if (!(error instanceof ApiProblem) || !error.message.startsWith("Idempotency-Key")) return false;
  // The answer of this call is too large to be stored; other calls of the action still get a key.
  if (error.code === "too_large") return true;
  if (error.code !== "bad_precondition") return false;
  const actions = refusing.get(url) ?? new Set();
  refusing.set(url, actions.add(action));
  return true;
};

const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE = 200;
/** Longest `Retry-After` in seconds that the client waits for. */
const LONGEST_WAIT = 30;

/** Returns the milliseconds before the next retry; undefined for none. Unless `isSafe`, only a 429 is repeated. */
function computePause(before: number, error: unknown, isSafe: boolean): number | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { status, code, retryAfter = 0 } = error;
  if (code !== "no_answer" && !RETRIED_STATUSES.has(status)) return undefined;
  if (!isSafe && status !== 429) return undefined;
  if (retryAfter > LONGEST_WAIT) return undefined;
  // Random, so that clients that failed together do not retry together.
  const spread = FIRST_PAUSE * 2 ** before * (0.5 + Math.random() / 2);
  return Math.max(spread, retryAfter * 1000);
}

/** Waits; an abort rejects with the caller's reason. */
export function waitToSend(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
  });
}
