import type { KindName } from "../../domain/kind-names.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { AnyObject, ObjectByKind } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { Action } from "../contract/action.ts";
import type { Payload } from "../contract/payload.ts";
import type { IsShown, OpenFrom, Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/** The objects that the refs of a payload name: the one addressed, and the one around it. */
export interface Resolved {
  readonly target: AnyObject | undefined;
  readonly within: AnyObject | undefined;
}

/** The object a ref names, or `not_found` naming the ref. */
export async function need<N extends KindName>(
  view: View,
  kind: Kind<N>,
  ref: Ref,
  owner?: { readonly id: string; readonly key: string },
): Promise<ObjectByKind[N]> {
  const found = (await view.find(kind.name, ref, owner?.id)) ?? (kind.builtIn && (await builtInObject(ref)));
  // What comes with the service is of the one kind that says so.
  if (found) return found as ObjectByKind[N];
  const place = owner?.key ?? (kind.ledger === "model" ? `the model ${view.modelKey}` : undefined);
  throw new Problem("not_found", `no ${kind.noun} ${printRef(ref)}${place === undefined ? "" : ` in ${place}`}`);
}

async function builtInObject(ref: Ref): Promise<AnyObject | undefined> {
  return (await import("../../domain/property-definitions.ts")).wellKnownNamed(ref);
}

/** The view a call begins with: the model its first ref names, or another ledger; undefined when it addresses none. */
export function openAddressed(
  action: Action,
  payload: Payload,
  store: Pick<Store, "open" | "tags" | "identity">,
  isShown?: Promise<IsShown | undefined>,
  from?: OpenFrom,
): Promise<View> | undefined {
  const [first] = payload.path;
  if (action.ledger === "tags" || first?.kind.ledger === "tags") return store.tags();
  if (action.ledger === "identity" || first?.kind.ledger === "identity") return store.identity();
  return first && store.open(first.ref, isShown, from);
}

/** Walks the refs of a payload from the model inwards; the first that names nothing is `not_found`. */
export async function resolvePath(action: Action, payload: Payload, view: View): Promise<Resolved> {
  let outer: AnyObject | undefined;
  let inner: AnyObject | undefined;
  for (const { kind, ref } of payload.path) {
    outer = inner;
    if (kind.name === "model") continue;
    inner = await need(view, kind, ref, kind.owned ? outer : undefined);
  }
  if (action.within) return { target: undefined, within: inner };
  return { target: action.target?.name === "model" ? await view.model() : inner, within: outer };
}
