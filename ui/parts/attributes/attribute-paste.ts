import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import type { PastedRow, PlannedRow } from "../grid/paste-rows.ts";

/** Columns of pasted attributes, in the expected order. */
export const PASTE_COLUMNS = ["key", "name", "type", "optional", "description"] as const;

type PasteColumn = (typeof PASTE_COLUMNS)[number];

/** Texts that describe a fault or a change of a pasted row. */
export interface PasteWords {
  readonly noKey: () => string;
  readonly twice: () => string;
  readonly noType: () => string;
  readonly noSuchType: (type: string) => string;
  readonly notYesNo: (text: string) => string;
  readonly changes: (columns: readonly PasteColumn[]) => string;
}

const YES = new Set(["yes", "y", "true", "1", "x", "oui", "o", "vrai", "optional", "optionnel", "nullable", "null"]);
const NO = new Set(["no", "n", "false", "0", "non", "faux", "required", "obligatoire", "not null", "not nullable"]);

/** Parses a pasted boolean; returns undefined for any other text. */
export function isYes(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return YES.has(word) ? true : NO.has(word) || word === "" ? false : undefined;
}

function formatCell(attribute: Attribute, column: PasteColumn) {
  if (column === "type") return attribute.typeByKey?.replace(/^key:/, "") ?? "";
  if (column === "optional") return attribute.optional ? "yes" : "no";
  return attribute[column] ?? "";
}

/** Lists the columns of a pasted row that differ from the attribute, without missing cells. */
export function findChangedColumns(cells: PastedRow, attribute: Attribute): readonly PasteColumn[] {
  return PASTE_COLUMNS.filter((column) => {
    const text = cells[column];
    if (text === undefined || column === "key") return false;
    if (column === "optional") return text !== "" && isYes(text) !== attribute.optional;
    // A type cannot be cleared, so an empty or missing cell keeps it.
    if (column === "type" && text === "") return false;
    return text !== formatCell(attribute, column);
  });
}

/** Plans each pasted row: creates an attribute, changes one by its key, or reports a fault. */
export function planRows(
  rows: readonly PastedRow[],
  attributes: readonly Attribute[],
  typeKeys: ReadonlySet<string>,
  words: PasteWords,
): readonly PlannedRow[] {
  const index = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const seenKeys = new Set<string>();
  return rows.map((cells): PlannedRow => {
    const { key = "", type = "", optional = "" } = cells;
    const findError = (why: string): PlannedRow => ({ cells, change: "wrong", why });
    if (key === "") return findError(words.noKey());
    if (seenKeys.has(key)) return findError(words.twice());
    seenKeys.add(key);
    if (type !== "" && !typeKeys.has(type)) return findError(words.noSuchType(type));
    if (isYes(optional) === undefined) return findError(words.notYesNo(optional));
    const attribute = index.get(key);
    if (!attribute) return type === "" ? findError(words.noType()) : { cells, change: "create" };
    const columns = findChangedColumns(cells, attribute);
    return columns.length === 0 ? { cells, change: "same" } : { cells, change: "update", why: words.changes(columns) };
  });
}

interface BatchEntry {
  readonly group: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Creates an entry of a batch for an action, given its full name. */
export function createBatchEntry(name: string, payload: Readonly<Record<string, unknown>>): BatchEntry {
  const [group = "", action = ""] = name.split("/");
  return { group, action, payload };
}

/** Matches texts that a batch would read as a reference to an earlier answer. */
const REFERENCE = /^((?:id|key):)?(\$+\d+\.[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;

/** Escapes a text, so that a batch does not read it as a reference. */
export const escapeLiteral = (text: string): string => text.replace(REFERENCE, "$1$$$2");

/** Returns the batch entries of the planned rows. */
export function buildPasteEntries(
  owner: AttributeOwner,
  rows: readonly PlannedRow[],
  attributes: readonly Attribute[],
): readonly BatchEntry[] {
  const actions = getAttributeActions(owner);
  const refs = getOwnerRefs(owner);
  const index = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  return rows.flatMap(({ cells }): readonly BatchEntry[] => {
    const { key = "", name = "", type = "", optional = "", description = "" } = cells;
    const attribute = index.get(key);
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
    const changes = {
      key: [actions.updateKey, escapeLiteral(key)],
      name: [actions.updateName, escapeLiteral(name)],
      type: [actions.updateType, escapeLiteral(`key:${type}`)],
      optional: [actions.updateOptional, isYes(optional) === true],
      description: [actions.updateDescription, escapeLiteral(description)],
    } as const;
    return findChangedColumns(cells, attribute).map((column) => {
      const [action, value] = changes[column];
      return createBatchEntry(action, { ...at, value });
    });
  });
}
