import { attribute } from "../../domain/kinds.ts";
import type { Attribute } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { View } from "../contract/view.ts";
import { need } from "../dispatch/resolve.ts";

/**
 * Ids of the attributes of an entity that the refs in a list parameter name, in their order. `not_found` for a ref to
 * none, `bad_parameters` where two name the same.
 */
export async function attributesNamed(
  view: View,
  owner: { readonly id: string; readonly key: string },
  parameter: string,
  refs: readonly Ref[],
): Promise<readonly string[]> {
  const ids = (await attributesOf(view, owner, refs)).map(({ id }) => id);
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) refuseRepeated(parameter, i, refs[i]);
  });
  return ids;
}

/** The attributes of an entity that refs name, or `not_found`; those named by id are found in one read together. */
export async function attributesOf(
  view: View,
  owner: { readonly id: string; readonly key: string },
  refs: readonly Ref[],
): Promise<readonly Attribute[]> {
  const byId = new Map<string, Attribute>();
  if (refs.some((r) => r.scheme === "id")) {
    for (const one of (await view.list("attribute", owner.id)).items) byId.set(one.id, one);
  }
  return Promise.all(
    refs.map((ref) => (ref.scheme === "id" && byId.get(ref.value)) || need(view, attribute, ref, owner)),
  );
}

function refuseRepeated(parameter: string, position: number, ref: Ref | undefined): never {
  const detail = `${parameter}: ${ref ? printRef(ref) : position} names an attribute that is in the list already`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/${parameter}/${position}`, detail }] });
}
