import fc from "fast-check";
import { type Action, explainBatchExclusion } from "../../../../shared/actions/contract/action.ts";
import { ACTIONS } from "../../../support/actions.ts";
import type { PayloadJson, WorldState } from "../known-objects.ts";

/** The actions that a batch can have as an entry. */
const FITTING = ACTIONS.filter((action) => explainBatchExclusion(action) === undefined);

/** Payloads an action accepts in a world; undefined where it has nothing to work on. */
type Valid = (action: Action, state: WorldState) => fc.Arbitrary<PayloadJson> | undefined;

/** Entries that a batch accepts in a world, each of them valid by itself; there is always one. */
export function someEntries(state: WorldState, validPayload: Valid): fc.Arbitrary<readonly object[]> {
  const possible = FITTING.flatMap((action) => {
    const payloads = validPayload(action, state);
    return payloads ? [{ action, payloads }] : [];
  });
  const entry = fc
    .constantFrom(...possible)
    .chain(({ action, payloads }) =>
      payloads.map((payload) => ({ group: action.group, action: action.name, payload: literal(payload) })),
    );
  return fc.array(entry, { minLength: 1, maxLength: 4 });
}

/** The payload in which no text is taken for a reference to an earlier entry. */
function literal(payload: PayloadJson): unknown {
  return JSON.parse(JSON.stringify(payload), (_, value: unknown) =>
    typeof value === "string" ? value.replace(/^((?:id|key):)?(\$+\d+\.)/, "$1$$$2") : value,
  );
}
