import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { restOf, textIn } from "../tables/kept-rest.ts";
import { type NamedPart, namedIn, type Part, partsIn } from "../tables/parts.ts";
import type { SourceReference, SourceTable } from "../tables/source-tables.ts";

const MEMBERS = new Set(["type", "from", "to", "name", "description"]);

/** A column of a table as a relationship names it. */
interface Named {
  readonly table: string;
  readonly column: string;
}

/** The relationships of schema objects and of their properties as references between tables. */
export function odcsReferences(
  objects: readonly NamedPart[],
  tables: readonly SourceTable[],
): readonly SourceReference[] {
  const names = namesOf(objects, tables);
  return objects.flatMap((object) => {
    const own = partsIn(object.source, "relationships", object.findings);
    return [
      ...own.map((one) => referenceOf(one, object, listOf(one.source.from), names)),
      ...withRelationships(object).flatMap(({ column, part }) =>
        partsIn(part.source, "relationships", part.findings).map((one) =>
          referenceOf(one, object, [`${object.name}.${column}`], names),
        ),
      ),
    ];
  });
}

/** The properties of an object, at any depth, by their path. */
function withRelationships(object: Part, prefix = ""): readonly { readonly column: string; readonly part: Part }[] {
  return namedIn(object.source, "properties", SILENT).flatMap((part, i) => {
    const here = { ...part, findings: object.findings.at(`/properties/${i}`) };
    const { items } = part.source;
    const item = isObject(items) ? [{ source: items, findings: here.findings.at("/items") }] : [];
    const inner = [here, ...item].flatMap((one) => withRelationships(one, `${prefix}${part.name}.`));
    return [{ column: prefix + part.name, part: here }, ...inner];
  });
}

/** What is read here was read before, with the same findings. */
const SILENT: Findings = { fault: () => undefined, warn: () => undefined, at: () => SILENT };

function referenceOf(
  { source, findings }: Part,
  object: NamedPart,
  from: readonly string[],
  names: (text: string) => Named,
): SourceReference {
  const here = from.map(names);
  const there = listOf(source.to).map(names);
  const cardinality = restOf(source, MEMBERS);
  return {
    name: textIn(source, "name"),
    description: textIn(source, "description"),
    from: here[0]?.table ?? object.name,
    to: there[0]?.table ?? "",
    columns: here.map(({ column }) => column),
    referred: there.map(({ column }) => column),
    kept: { ...(source.type !== "foreignKey" && { type: source.type }), ...cardinality },
    path: [object.name, "relationships", ...here.map(({ column }) => column)],
    findings,
  };
}

function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

/** Reads `table.column`, and the longer form `schema/<id or name>/properties/<id or name>`, which may go on to nested ones. */
function namesOf(objects: readonly NamedPart[], tables: readonly SourceTable[]): (text: string) => Named {
  const known = new Set(tables.map(({ id }) => id));
  const steps = new WeakMap<object, ReadonlyMap<unknown, JsonObject>>();
  const top = objects.map(({ source }) => source);
  return (text) => {
    const found = placed(text);
    if (found) return found;
    const table = longestBeforeDot(text, known) ?? text.replace(/\.[^.]*$/, "");
    return { table, column: text.slice(table.length + 1) };
  };

  function placed(text: string): Named | undefined {
    const [, first = "", rest] = /^\/?schema\/([^/]+)((?:\/properties\/[^/]+)+)$/.exec(text) ?? [];
    const object = rest === undefined ? undefined : stepIn(top, first);
    if (!object) return undefined;
    let [table, column, inner] = [String(object.name), "", object.properties];
    for (const id of rest?.split("/properties/").slice(1) ?? []) {
      const property = stepIn(inner, id);
      if (!property) return undefined;
      const { items } = property;
      const called = column === "" ? String(property.name) : `${column}.${property.name}`;
      // A list of objects is a table of its own.
      const isTable = isObject(items) && Array.isArray(items.properties);
      [table, column, inner] = isTable
        ? [`${table}.${called}`, "", items.properties]
        : [table, called, property.properties];
    }
    return { table, column };
  }

  /** The element of a list that has an id, else the one of that name. */
  function stepIn(list: unknown, id: string): JsonObject | undefined {
    if (!Array.isArray(list)) return undefined;
    const elements = list.filter(isObject);
    const byId =
      steps.get(list) ??
      new Map([...elements.map((one) => [one.name, one] as const), ...elements.map((one) => [one.id, one] as const)]);
    steps.set(list, byId);
    return byId.get(id);
  }
}

/** The longest of some names that a text begins with, followed by a dot. */
function longestBeforeDot(text: string, names: ReadonlySet<string>): string | undefined {
  for (let dot = text.lastIndexOf("."); dot > 0; dot = text.lastIndexOf(".", dot - 1)) {
    if (names.has(text.slice(0, dot))) return text.slice(0, dot);
  }
  return undefined;
}
