import type { Kind } from "../../domain/kinds.ts";
import { pathOf } from "../../domain/kinds.ts";
import { REF_TYPES } from "../../domain/ref-types.ts";
import type { Action } from "./action.ts";
import { withOtherNames } from "./other-names.ts";
import type { Param, Params } from "./params.ts";
import { required } from "./params.ts";
import { readParams } from "./read-params.ts";

/** The kinds whose refs an action takes, outermost first. */
export function addressedKinds(action: Action): readonly Kind[] {
  const innermost = action.target ?? action.within;
  return innermost ? pathOf(innermost) : [];
}

const known = new WeakMap<Action, Params>();

/** Every parameter of an action in declared order, refs first: what discovery shows and the payload is read by. */
export function allParams(action: Action): Params {
  const params = known.get(action) ?? withOtherNames(action, declaredParams(action));
  known.set(action, params);
  return params;
}

function declaredParams(action: Action): Params {
  const refs = addressedKinds(action).map((k): [string, Param] => {
    const type = REF_TYPES[k.refType];
    if (!type) throw new Error(`no ref type ${k.refType}`);
    return [k.refParameter, required(type, `The ${k.noun}.`)];
  });
  return { ...Object.fromEntries(refs), ...action.input, ...(action.intent === "read" && readParams) };
}
