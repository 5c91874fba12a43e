import { type Actions, type Answer, ApiProblem, type CallOptions, createClient } from "../../client/create-client.ts";
import { recordAnswer } from "./connection.ts";
import { endSession, getToken, waitForSignIn } from "./session.ts";

interface CacheEntry {
  readonly etag: string;
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Maximum total characters of cached bodies; the oldest are evicted first. */
const MAX_CHARACTERS = 20_000_000;

/** Creates a `fetch` for one access token that answers status 304 from its cache of entity tags. */
export function fetchByEtag(send: typeof fetch): typeof fetch {
  let cache = new Map<string, CacheEntry>();
  let size = 0;
  let token: string | undefined;

  const storeAnswer = (name: string, one: CacheEntry) => {
    size -= cache.get(name)?.body.length ?? 0;
    cache.delete(name);
    cache.set(name, one);
    size += one.body.length;
    for (const [oldest, { body }] of cache) {
      if (size <= MAX_CHARACTERS) break;
      cache.delete(oldest);
      size -= body.length;
    }
  };

  return async (target, request) => {
    const headers = new Headers(request?.headers);
    const bearer = headers.get("authorization") ?? undefined;
    if (bearer !== token) {
      token = bearer;
      cache = new Map();
      size = 0;
    }
    const name = `${target} ${String(request?.body ?? "")}`;
    const entry = headers.has("idempotency-key") || headers.has("dry-run") ? undefined : cache.get(name);
    if (entry) headers.set("if-none-match", entry.etag);
    const answer = await send(target, { ...request, headers });
    if (answer.status === 304 && entry) {
      storeAnswer(name, entry);
      const newHeaders = new Headers(entry.headers.map(([n, v]) => [n, v]));
      // The 304 answer has its own request id in the log of the service.
      const requestId = answer.headers.get("x-request-id");
      if (requestId !== null) newHeaders.set("x-request-id", requestId);
      return new Response(entry.body, { status: 200, headers: newHeaders });
    }
    const etag = answer.headers.get("etag");
    if (etag === null || answer.status !== 200 || headers.has("idempotency-key") || headers.has("dry-run"))
      return answer;
    const body = await answer.text();
    const all = [...answer.headers].filter(([header]) => header !== "content-encoding" && header !== "content-length");
    storeAnswer(name, { etag, body, headers: all });
    return new Response(body, { status: 200, headers: all });
  };
}

/** The name of an action as `<group>/<action>`. */
export type ActionName = { [G in keyof Actions]: `${G & string}/${keyof Actions[G] & string}` }[keyof Actions];

type CallsOf<N extends string> = N extends `${infer G extends keyof Actions}/${infer A}`
  ? A extends keyof Actions[G]
    ? Actions[G][A]
    : never
  : never;

/** Input of an action. */
export type InputOf<N extends ActionName> = CallsOf<N> extends { readonly input: infer I } ? I : object;

/** Output of an action. */
export type OutputOf<N extends ActionName> = CallsOf<N> extends { readonly output: infer O } ? O : unknown;

const ENDINGS = {
  list: "list",
  get: "get",
  create: "create",
  updateKey: "update_key",
  updateName: "update_name",
  updateDescription: "update_description",
  updateLink: "update_documentation_link",
  updateType: "update_type",
  updateOptional: "update_optional",
  updateConstraints: "update_constraints",
  updateProperty: "update_property",
  deleteProperty: "delete_property",
  addTag: "add_tag",
  deleteTag: "delete_tag",
  move: "move",
  delete: "delete",
} as const;

type ObjectActions<P extends string> = {
  readonly [U in keyof typeof ENDINGS]: Extract<ActionName, `${P}_${(typeof ENDINGS)[U]}`>;
};

/** Returns the actions on a kind of object, given a beginning such as `model/entity`. */
export function getObjectActions<const P extends string>(beginning: P): ObjectActions<P> {
  const names = Object.entries(ENDINGS).map(([purpose, ending]) => [purpose, `${beginning}_${ending}`]);
  return Object.fromEntries(names) as ObjectActions<P>;
}

/** The current page; undefined in tests of single modules. */
const page = globalThis as { readonly location?: { readonly origin: string } };

const client = createClient({
  url: page.location?.origin ?? "",
  token: getToken,
  fetch: fetchByEtag((target, request) => fetch(target, request)),
});

/** Actions that begin a session. A 401 answer to them does not start another sign-in. */
const SIGN_IN_ACTIONS: ReadonlySet<string> = new Set(["auth/login", "auth/admin_bootstrap", "config/sign_in_options"]);

interface AnyCall {
  answer(input: object, options?: CallOptions): Promise<Answer<unknown>>;
}

/** Runs an action known only from a description. Throws `ApiProblem`. */
export async function callByName(name: string, input: object, options?: CallOptions): Promise<Answer<unknown>> {
  const [group = "", action = ""] = name.split("/");
  // The client creates a method for any action name.
  const groups = client as unknown as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
  const run = groups[group]?.[action];
  if (!run) throw new Error(`${name} is not the name of an action`);
  for (;;) {
    const usedToken = getToken();
    try {
      const answer = await run.answer(input, options);
      recordAnswer(true);
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem) recordAnswer(error.code !== "no_answer");
      if (!isSignedOut(error) || usedToken === undefined || SIGN_IN_ACTIONS.has(name)) throw error;
      // The person may have signed in again during the call.
      if (usedToken === getToken() && !(await waitForSignIn())) throw error;
    }
  }
}

/** Runs an action with typed input and answer. Throws `ApiProblem`. */
export async function call<N extends ActionName>(
  name: N,
  input: InputOf<N>,
  options?: CallOptions,
): Promise<Answer<OutputOf<N>>> {
  // The client's types define the answer of each action.
  return (await callByName(name, input as object, options)) as Answer<OutputOf<N>>;
}

/** Ends the session at the service and on this page, which does not wait for the service. */
export function signOut(): void {
  // It reads the token before it is discarded. Without an answer the token ends when it expires.
  client.auth.logout({}).catch(() => undefined);
  endSession();
}

function isSignedOut(error: unknown) {
  return error instanceof ApiProblem && error.code === "not_signed_in";
}
