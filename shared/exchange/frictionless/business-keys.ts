import type { BusinessKeyDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { legalKeys } from "../legal-key.ts";
import { below, originAt } from "../source-place.ts";
import { differentSets } from "./different-sets.ts";
import type { KeyedTable } from "./foreign-keys.ts";

/** The business keys of tables: one for each set of attributes that a unique field or a unique key names. */
export function businessKeysOf(tables: readonly KeyedTable[]): readonly BusinessKeyDocument[] {
  const found = tables.flatMap(({ key, table, place }) => {
    const names = new Map([...table.fields].map(([name, attribute]) => [attribute.key, name]));
    const sets = table.businessKeys.filter((set) => set.length <= LIMITS.businessKeyParticipants);
    return differentSets(sets).map((set) => ({
      entity: key,
      set,
      place: below(place, "uniqueKeys", ...set.map((one) => names.get(one) ?? one)),
    }));
  });
  const keys = legalKeys(found.map(({ entity, set }) => [entity, ...set].join("_")));
  return found.map(({ entity, set, place }, i) => ({
    key: keys[i] ?? entity,
    entity: `key:${entity}`,
    participants: set.map((attribute) => `key:${attribute}`),
    ...originAt(place),
  }));
}
