import { type Action, isWrite } from "../contract/action.ts";
import type { Decision, Reading } from "../contract/decision.ts";
import type { Payload } from "../contract/payload.ts";
import type { View } from "../contract/view.ts";
import { resolvePath } from "./resolve.ts";

type Context = Parameters<Action["run"]>[0];

/** The context that an action decides in, beside its payload. */
export type Surroundings = Omit<Context, "input" | "target" | "within" | "view"> & {
  readonly view: View | undefined;
  /** Opens the ledger of users, actors and roles, for names that an answer shows beside ids. */
  readonly accounts: () => Promise<View>;
};

/** The decision of an action that writes, or the reading of any other one. */
export type Made =
  | { readonly decision: Decision; readonly reading?: undefined }
  | { readonly decision?: undefined; readonly reading: Reading };

/** Has an action decide on the objects its payload names; ends in whatever problem that finds. */
export async function decide(action: Action, payload: Payload, surroundings: Surroundings): Promise<Made> {
  const { view, accounts: _, ...around } = surroundings;
  const found = view ? await resolvePath(action, payload, view) : { target: undefined, within: undefined };
  // Without a model addressed `run` is typed without a view.
  const made = await action.run({ ...around, ...found, input: payload.input, view: view as View });
  // An action that writes answers a decision, any other a reading; `defineAction` sees to it.
  if (isWrite(action)) return { decision: made as Decision };
  const reading = made as Reading;
  if (payload.input.expand === undefined) return { reading };
  // Most reads are by programs, which know ids.
  return { reading: await (await import("./expand-keys.ts")).expandKeys(action, reading, surroundings) };
}
