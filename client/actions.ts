import type { ACTION_MODULES } from "../shared/actions/catalogue.ts";
import type { Group } from "../shared/actions/contract/action.ts";

type AnyAction = Awaited<ReturnType<(typeof ACTION_MODULES)[number]["load"]>>[number];

type Calls<A> = A extends { readonly calls?: infer C } ? NonNullable<C> : never;

/** Actions by group with input and output, derived from the definitions. */
export type Actions = {
  readonly [G in Group]: { readonly [A in Extract<AnyAction, { readonly group: G }> as A["name"]]: Calls<A> };
};
