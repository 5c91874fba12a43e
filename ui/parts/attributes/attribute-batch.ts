import { type Attribute, type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import type { PlannedRow } from "../grid/paste-rows.ts";
import { changedColumns, isYes } from "./attribute-paste.ts";

/** One call in a batch. */
export interface BatchEntry {
  readonly group: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An entry of a batch for an action by its full name. */
export function entryOf(name: string, payload: Readonly<Record<string, unknown>>): BatchEntry {
  const [group = "", action = ""] = name.split("/");
  return { group, action, payload };
}

/** What looks like a reference to the answer of an earlier entry of a batch. */
const REFERENCE = /^((?:id|key):)?(\$+\d+\.[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** A text that means itself in the payload of a batch, whatever it looks like. */
export const literal = (text: string): string => text.replace(REFERENCE, "$1$$$2");

/** The entries that make and change attributes as pasted rows say. */
export function pasteEntries(
  owner: AttributeOwner,
  rows: readonly PlannedRow[],
  attributes: readonly Attribute[],
): readonly BatchEntry[] {
  const actions = attributeActions(owner);
  const refs = ownerRefs(owner);
  const known = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  return rows.flatMap(({ cells }): readonly BatchEntry[] => {
    const { key = "", name = "", type = "", optional = "", description = "" } = cells;
    const attribute = known.get(key);
    if (!attribute) {
      return [
        entryOf(actions.create, {
          ...refs,
          attributeKey: literal(key),
          type: literal(`key:${type}`),
          optional: isYes(optional) === true,
          ...(name !== "" && { name: literal(name) }),
          ...(description !== "" && { description: literal(description) }),
        }),
      ];
    }
    const at = { ...refs, attributeRef: `id:${attribute.id}` };
    return changedColumns(cells, attribute).map((column) => {
      switch (column) {
        case "type":
          return entryOf(actions.updateType, { ...at, value: literal(`key:${type}`) });
        case "optional":
          return entryOf(actions.updateOptional, { ...at, value: isYes(optional) === true });
        case "name":
          return entryOf(actions.updateName, { ...at, value: literal(name) });
        default:
          return entryOf(actions.updateDescription, { ...at, value: literal(description) });
      }
    });
  });
}
