import { SILENT_DIAGNOSTICS } from "../common/diagnostics.ts";
import {
  isObject,
  type JsonObject,
  listTexts,
  type NamedPart,
  omitRead,
  type Part,
  readNamedParts,
  readOptionalText,
  readPartList,
} from "../common/json-object.ts";
import type { SourceReference, SourceTable } from "../common/tables/source-tables.ts";

const RELATIONSHIP_MEMBERS = new Set(["type", "from", "to", "name", "description"]);

interface ColumnRef {
  readonly table: string;
  readonly column: string;
}

/** Reads the relationships of schema objects and their properties as references. */
export function readReferences(
  objects: readonly NamedPart[],
  tables: readonly SourceTable[],
): readonly SourceReference[] {
  const names = createColumnResolver(objects, tables);
  return objects.flatMap((object) => {
    const own = readPartList(object.source, "relationships", object.diagnostics);
    return [
      ...own.map((one) => toReference(one, object, listTexts(one.source.from), names)),
      ...listProperties(object).flatMap(({ column, part }) =>
        readPartList(part.source, "relationships", part.diagnostics).map((one) =>
          toReference(one, object, [`${object.name}.${column}`], names),
        ),
      ),
    ];
  });
}

function listProperties(object: Part, prefix = ""): readonly { readonly column: string; readonly part: Part }[] {
  return readNamedParts(object.source, "properties", SILENT_DIAGNOSTICS).flatMap((part, i) => {
    const property = { ...part, diagnostics: object.diagnostics.at(`/properties/${i}`) };
    const { items } = part.source;
    const item = isObject(items) ? [{ source: items, diagnostics: property.diagnostics.at("/items") }] : [];
    const properties = [property, ...item].flatMap((one) => listProperties(one, `${prefix}${part.name}.`));
    return [{ column: prefix + part.name, part: property }, ...properties];
  });
}

function toReference(
  { source, diagnostics }: Part,
  object: NamedPart,
  from: readonly string[],
  names: (text: string) => ColumnRef,
): SourceReference {
  const fromColumns = from.map(names);
  const toColumns = listTexts(source.to).map(names);
  const cardinality = omitRead(source, RELATIONSHIP_MEMBERS);
  return {
    name: readOptionalText(source, "name"),
    description: readOptionalText(source, "description"),
    from: fromColumns[0]?.table ?? object.name,
    to: toColumns[0]?.table ?? "",
    columns: fromColumns.map(({ column }) => column),
    targets: toColumns.map(({ column }) => column),
    rest: { ...(source.type !== "foreignKey" && { type: source.type }), ...cardinality },
    path: [object.name, "relationships", ...fromColumns.map(({ column }) => column)],
    diagnostics,
  };
}

/** Resolves `table.column` and the longer form `schema/<id or name>/properties/<id or name>`, which may be nested. */
function createColumnResolver(
  objects: readonly NamedPart[],
  tables: readonly SourceTable[],
): (text: string) => ColumnRef {
  const ids = new Set(tables.map(({ id }) => id));
  const steps = new WeakMap<object, ReadonlyMap<unknown, JsonObject>>();
  const schemaObjects = objects.map(({ source }) => source);
  return (text) => {
    const ref = resolvePath(text);
    if (ref) return ref;
    const table = findLongestPrefix(text, ids) ?? text.replace(/\.[^.]*$/, "");
    return { table, column: text.slice(table.length + 1) };
  };

  function resolvePath(text: string): ColumnRef | undefined {
    const [, first = "", rest] = /^\/?schema\/([^/]+)((?:\/properties\/[^/]+)+)$/.exec(text) ?? [];
    const object = rest === undefined ? undefined : findElement(schemaObjects, first);
    if (!object) return undefined;
    let [table, column, properties] = [String(object.name), "", object.properties];
    for (const id of rest?.split("/properties/").slice(1) ?? []) {
      const property = findElement(properties, id);
      if (!property) return undefined;
      const { items } = property;
      const propertyPath = column === "" ? String(property.name) : `${column}.${property.name}`;
      // A list of objects is a table.
      const isTable = isObject(items) && Array.isArray(items.properties);
      [table, column, properties] = isTable
        ? [`${table}.${propertyPath}`, "", items.properties]
        : [table, propertyPath, property.properties];
    }
    return { table, column };
  }

  function findElement(list: unknown, id: string): JsonObject | undefined {
    if (!Array.isArray(list)) return undefined;
    const elements = list.filter(isObject);
    const byId =
      steps.get(list) ??
      new Map([...elements.map((one) => [one.name, one] as const), ...elements.map((one) => [one.id, one] as const)]);
    steps.set(list, byId);
    return byId.get(id);
  }
}

function findLongestPrefix(text: string, names: ReadonlySet<string>): string | undefined {
  for (let dot = text.lastIndexOf("."); dot > 0; dot = text.lastIndexOf(".", dot - 1)) {
    if (names.has(text.slice(0, dot))) return text.slice(0, dot);
  }
  return undefined;
}

function isPlainName(name: string) {
  return /^[A-Za-z_]\w*$/.test(name);
}

function toReferenceId(name: string) {
  return name.replace(/[^A-Za-z0-9]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`);
}

/** Removes an id that was made of the name. */
export function removeDerivedId({ id, ...rest }: JsonObject): JsonObject {
  const isMade = typeof rest.name === "string" && !isPlainName(rest.name) && id === toReferenceId(rest.name);
  return id === undefined || isMade ? rest : { id, ...rest };
}

/** Returns the id that an element needs so that references find it. */
export function createNeededId(name: string, own: unknown): string | undefined {
  return isPlainName(name) || own !== undefined ? undefined : toReferenceId(name);
}

/** A step on the path to an element: its name and its own id. */
export interface ReferenceStep {
  readonly name: string;
  readonly own?: unknown;
}

/** Formats a reference to a property, in the short form if possible. */
export function formatReference(steps: readonly ReferenceStep[]): string {
  const [object, property] = steps;
  if (steps.length === 2 && object && property && isPlainName(object.name) && isPlainName(property.name)) {
    return `${object.name}.${property.name}`;
  }
  const ids = steps.map(({ name, own }) =>
    typeof own === "string" && /^[\w-]+$/.test(own) ? own : isPlainName(name) ? name : toReferenceId(name),
  );
  return `schema/${ids.join("/properties/")}`;
}
