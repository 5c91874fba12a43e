import { type Actions, type Answer, ApiProblem, type CallOptions, createClient } from "../../client/create-client.ts";
import { noteAnswered } from "./connection.ts";
import { fetchByEtag } from "./etag-cache.ts";
import { signedInAgain, tokenNow } from "./session.ts";

/** The name of an action as `<group>/<action>`. */
export type ActionName = { [G in keyof Actions]: `${G & string}/${keyof Actions[G] & string}` }[keyof Actions];

type CallsOf<N extends string> = N extends `${infer G extends keyof Actions}/${infer A}`
  ? A extends keyof Actions[G]
    ? Actions[G][A]
    : never
  : never;

/** What an action takes. */
export type InputOf<N extends ActionName> = CallsOf<N> extends { readonly input: infer I } ? I : object;

/** What an action answers. */
export type OutputOf<N extends ActionName> = CallsOf<N> extends { readonly output: infer O } ? O : unknown;

/** The page that this runs in; the tests of single modules have none. */
const page = globalThis as { readonly location?: { readonly origin: string } };

const client = createClient({
  url: page.location?.origin ?? "",
  token: tokenNow,
  fetch: fetchByEtag((target, request) => fetch(target, request)),
});

/** Calls that begin a session: their refusal is their answer, and no reason to ask who is there. */
const BEGINNING: ReadonlySet<string> = new Set(["auth/login", "auth/admin_bootstrap", "config/sign_in_options"]);

interface AnyCall {
  answer(input: object, options?: CallOptions): Promise<Answer<unknown>>;
}

/** Runs an action by any name; for those that come from a description. Throws `ApiProblem`. */
export async function callByName(name: string, input: object, options?: CallOptions): Promise<Answer<unknown>> {
  const [group = "", action = ""] = name.split("/");
  // The client makes a call of whatever name it is asked for.
  const groups = client as unknown as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
  const run = groups[group]?.[action];
  if (!run) throw new Error(`${name} is no name of an action`);
  for (;;) {
    const used = tokenNow();
    try {
      const answer = await run.answer(input, options);
      noteAnswered(true);
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem) noteAnswered(error.code !== "no_answer");
      if (!isSignedOut(error) || used === undefined || BEGINNING.has(name)) throw error;
      // Somebody may have signed in again while the call was under way.
      if (used === tokenNow() && !(await signedInAgain())) throw error;
    }
  }
}

/** Runs an action whose input and answer are known. Throws `ApiProblem`. */
export async function call<N extends ActionName>(
  name: N,
  input: InputOf<N>,
  options?: CallOptions,
): Promise<Answer<OutputOf<N>>> {
  // The client's types say what each action answers.
  return (await callByName(name, input as object, options)) as Answer<OutputOf<N>>;
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === "not_signed_in";
}
