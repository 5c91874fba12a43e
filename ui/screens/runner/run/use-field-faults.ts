import { useMemo } from "react";
import { type Fault, type PlacedFaults, placeFaults } from "../form/faults.ts";
import type { Field } from "../form/field.ts";
import { pointersOf } from "../form/fit.ts";
import { type JsonObject, stepsOf, valueAt } from "../form/pointer.ts";
import type { EndedWith } from "./use-run.ts";

const NONE: PlacedFaults = { byField: new Map(), others: [] };

/**
 * The faults of the last run at their fields; a fault goes when its field is another than the one that was sent. `faults`
 * are those of the problem unless given.
 */
export function useFieldFaults(
  form: Field,
  payload: JsonObject,
  ended: EndedWith | undefined,
  faults: readonly Fault[] | undefined = ended?.outcome.problem?.errors,
): PlacedFaults {
  return useMemo(() => {
    if (!ended || !faults) return NONE;
    const shown = new Set(pointersOf(form, payload));
    const placed = placeFaults(faults, shown);
    const sent = (pointer: string): string | undefined => JSON.stringify(valueAt(ended.payload, stepsOf(pointer)));
    const now = (pointer: string): string | undefined => JSON.stringify(valueAt(payload, stepsOf(pointer)));
    const still = [...placed.byField].filter(([pointer]) => sent(pointer) === now(pointer));
    return { byField: new Map(still), others: placed.others };
  }, [form, payload, ended, faults]);
}
