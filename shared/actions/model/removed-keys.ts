import type { Attribute, Entity } from "../../domain/objects.ts";
import type { RemovedRow } from "../contract/decision.ts";

/** The row of a primary key that loses attributes, if any of them is in it; it remains where it has others too. */
export function primaryKeyRow({ id, key, primaryKey }: Entity, lost: readonly Attribute[]): readonly RemovedRow[] {
  const keys = new Map(lost.map((attribute) => [attribute.id, attribute.key]));
  const attributes = primaryKey.flatMap((one) => keys.get(one) ?? []);
  if (attributes.length === 0) return [];
  const remains = attributes.length < primaryKey.length && { remains: true as const };
  return [{ kind: "primary_key", id, key, attributes, ...remains }];
}
