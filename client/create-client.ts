import type { Answer, CallOptions, ClientSettings } from "./action-call.ts";
import type { Actions } from "./actions.ts";
import { callAndWait } from "./jobs.ts";

export type { Answer, CallOptions, ClientSettings } from "./action-call.ts";
export type { Actions } from "./actions.ts";
// biome-ignore lint/performance/noBarrelFile: this file is the entry of the published client
export { ApiProblem, type ApiProblemCode } from "./api-problem.ts";

type Arguments<I> = unknown extends I
  ? [payload?: object, options?: CallOptions]
  : Record<never, never> extends I
    ? [payload?: I, options?: CallOptions]
    : [payload: I, options?: CallOptions];

/** One action: a call returns the body; `answer` also returns status, entity tag, revision and the next page. */
export interface ActionCall<I, O> {
  (...args: Arguments<I>): Promise<O>;
  answer(...args: Arguments<I>): Promise<Answer<O>>;
}

/** An action that is deprecated. */
interface DeprecatedActionCall<I, O> {
  /** @deprecated The action may be removed. Its description names the replacement and the day. */
  (...args: Arguments<I>): Promise<O>;
  /** @deprecated The action may be removed. Its description names the replacement and the day. */
  answer(...args: Arguments<I>): Promise<Answer<O>>;
}

/** An action with deprecated parameters `Names`. */
interface ChangingActionCall<I, O, Names extends keyof I> {
  (...args: Arguments<Omit<I, Names>>): Promise<O>;
  /** @deprecated A parameter of this call may be removed. Its description names the replacement and the day. */
  (...args: Arguments<I>): Promise<O>;
  answer(...args: Arguments<Omit<I, Names>>): Promise<Answer<O>>;
  /** @deprecated A parameter of this call may be removed. Its description names the replacement and the day. */
  answer(...args: Arguments<I>): Promise<Answer<O>>;
}

/** The call of an action with this signature. */
export type CallOf<C> = C extends {
  readonly input: infer I;
  readonly output: infer O;
  readonly deprecated: infer D;
  readonly deprecatedNames: infer Names;
}
  ? D extends object
    ? DeprecatedActionCall<I, O>
    : [Names] extends [never]
      ? ActionCall<I, O>
      : ChangingActionCall<I, O, Names & keyof I>
  : never;

/** Every action of the service as `api.<group>.<action>(payload, options)`. */
export type Api = {
  readonly [G in keyof Actions]: {
    readonly [A in keyof Actions[G]]: CallOf<Actions[G][A]>;
  };
};

/** Creates a client of a service. */
export function createClient(settings: ClientSettings): Api {
  const groups = createMembersOnRead((group) =>
    createMembersOnRead((action) => createActionCall(settings, `${group}/${action}`)),
  );
  // Every name becomes a call; the service refuses unknown actions.
  return groups as unknown as Api;
}

function createActionCall(settings: ClientSettings, action: string): ActionCall<object, unknown> {
  const answer = (payload: object = {}, options?: CallOptions) => callAndWait(settings, action, payload, options);
  const body = async (payload?: object, options?: CallOptions) => (await answer(payload, options)).body;
  return Object.assign(body, { answer });
}

/** Creates an object whose members are created on first use. It has no `then`, so it can be awaited. */
function createMembersOnRead<T>(make: (name: string) => T): object {
  const cache = new Map<string, T>();
  return new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name !== "string" || name === "then") return undefined;
        const value = cache.get(name) ?? make(name);
        cache.set(name, value);
        return value;
      },
    },
  );
}
