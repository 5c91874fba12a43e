import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import type { PastedRow, PlannedRow } from "../grid/paste-rows.ts";

/** The columns of pasted attributes, in the order that is expected. */
export const PASTED = ["key", "name", "type", "optional", "description"] as const;

type Pasted = (typeof PASTED)[number];

/** Says what is wrong with a pasted row, or what it changes, in the words of the person. */
export interface PasteWords {
  readonly noKey: () => string;
  readonly twice: () => string;
  readonly noType: () => string;
  readonly noSuchType: (type: string) => string;
  readonly notYesNo: (text: string) => string;
  readonly changes: (columns: readonly Pasted[]) => string;
}

const YES = new Set(["yes", "y", "true", "1", "x", "oui", "o", "vrai", "optional", "optionnel", "nullable", "null"]);
const NO = new Set(["no", "n", "false", "0", "non", "faux", "required", "obligatoire", "not null", "not nullable"]);

/** Whether a pasted text says yes; undefined where it says neither. */
export function isYes(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return YES.has(word) ? true : NO.has(word) || word === "" ? false : undefined;
}

/** What a cell of an attribute says, in the form in which it is pasted. */
function formatCell(attribute: Attribute, column: Pasted): string {
  if (column === "type") return attribute.typeByKey?.replace(/^key:/, "") ?? "";
  if (column === "optional") return attribute.optional ? "yes" : "no";
  return attribute[column] ?? "";
}

/** The columns of a pasted row that say something else than the attribute does; a cell that was not pasted says nothing. */
export function findChangedColumns(cells: PastedRow, attribute: Attribute): readonly Pasted[] {
  return PASTED.filter((column) => {
    const text = cells[column];
    if (text === undefined || column === "key") return false;
    if (column === "optional") return text !== "" && isYes(text) !== attribute.optional;
    // A type cannot be cleared, and a cell of a short row is no wish to clear.
    if (column === "type" && text === "") return false;
    return text !== formatCell(attribute, column);
  });
}

/** Says of each pasted row whether it makes an attribute, changes one by its key, or is wrong. */
export function planRows(
  rows: readonly PastedRow[],
  attributes: readonly Attribute[],
  typeKeys: ReadonlySet<string>,
  words: PasteWords,
): readonly PlannedRow[] {
  const known = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const seen = new Set<string>();
  return rows.map((cells): PlannedRow => {
    const { key = "", type = "", optional = "" } = cells;
    const findError = (why: string): PlannedRow => ({ cells, change: "wrong", why });
    if (key === "") return findError(words.noKey());
    if (seen.has(key)) return findError(words.twice());
    seen.add(key);
    if (type !== "" && !typeKeys.has(type)) return findError(words.noSuchType(type));
    if (isYes(optional) === undefined) return findError(words.notYesNo(optional));
    const attribute = known.get(key);
    if (!attribute) return type === "" ? findError(words.noType()) : { cells, change: "create" };
    const columns = findChangedColumns(cells, attribute);
    return columns.length === 0 ? { cells, change: "same" } : { cells, change: "update", why: words.changes(columns) };
  });
}

/** One call in a batch. */
interface BatchEntry {
  readonly group: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An entry of a batch for an action by its full name. */
export function createBatchEntry(name: string, payload: Readonly<Record<string, unknown>>): BatchEntry {
  const [group = "", action = ""] = name.split("/");
  return { group, action, payload };
}

/** What looks like a reference to the answer of an earlier entry of a batch. */
const REFERENCE = /^((?:id|key):)?(\$+\d+\.[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** A text that means itself in the payload of a batch, whatever it looks like. */
export const escapeLiteral = (text: string): string => text.replace(REFERENCE, "$1$$$2");

/** The entries that make and change attributes as pasted rows say. */
export function pasteEntries(
  owner: AttributeOwner,
  rows: readonly PlannedRow[],
  attributes: readonly Attribute[],
): readonly BatchEntry[] {
  const actions = getAttributeActions(owner);
  const refs = getOwnerRefs(owner);
  const known = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  return rows.flatMap(({ cells }): readonly BatchEntry[] => {
    const { key = "", name = "", type = "", optional = "", description = "" } = cells;
    const attribute = known.get(key);
    if (!attribute) {
      return [
        createBatchEntry(actions.create, {
          ...refs,
          attributeKey: escapeLiteral(key),
          type: escapeLiteral(`key:${type}`),
          optional: isYes(optional) === true,
          ...(name !== "" && { name: escapeLiteral(name) }),
          ...(description !== "" && { description: escapeLiteral(description) }),
        }),
      ];
    }
    const at = { ...refs, attributeRef: `id:${attribute.id}` };
    return findChangedColumns(cells, attribute).map((column) => {
      switch (column) {
        case "type":
          return createBatchEntry(actions.updateType, { ...at, value: escapeLiteral(`key:${type}`) });
        case "optional":
          return createBatchEntry(actions.updateOptional, { ...at, value: isYes(optional) === true });
        case "name":
          return createBatchEntry(actions.updateName, { ...at, value: escapeLiteral(name) });
        default:
          return createBatchEntry(actions.updateDescription, { ...at, value: escapeLiteral(description) });
      }
    });
  });
}
