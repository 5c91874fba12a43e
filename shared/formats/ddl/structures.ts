import type { ModelColumn } from "../common/writing/model-tables.ts";
import { groupByPath, toWrittenName } from "../common/writing/written-names.ts";
import type { SqlColumn } from "./columns.ts";
import type { DdlDialect } from "./dialect.ts";
import { foldName, quoteName, toLegalName } from "./names.ts";

/** Steps of the names of columns that are fields of a structure, by the keys of their attributes. */
export type FieldPaths = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the paths of the columns that are written as fields. A structure has adjacent columns, of which no key contains
 * one, and names that the dialect allows at each level.
 */
export function findFieldPaths(
  columns: readonly ModelColumn[],
  keyed: ReadonlySet<string>,
  { structures, names }: DdlDialect,
): FieldPaths {
  const paths = new Map<string, readonly string[]>();
  if (!structures) return paths;
  const items = columns.map((column) => ({ column, path: toWrittenName(column.attribute) }));
  const groups = groupByPath(items);
  const counts = Map.groupBy(groups, ({ name }) => foldName(name, names));
  for (const { name, inner } of groups.flatMap((one) => (one.own ? [] : [one]))) {
    const steps = inner.map((one) => [name, ...one.path.split(".")]);
    const isLegal = steps.every((list) =>
      list.every((step) => step.trim() !== "" && toLegalName(step, names) === step),
    );
    const areDistinct = new Set(steps.map((list) => foldName(list.join("."), names))).size === steps.length;
    const isOpen = inner.every(({ column }) => !keyed.has(column.key));
    const isAlone = counts.get(foldName(name, names))?.length === 1;
    if (!isLegal || !areDistinct || !isOpen || !isAlone || hasMixedLevels(steps)) continue;
    for (const [i, { column }] of inner.entries()) paths.set(column.key, steps[i] ?? []);
  }
  return paths;
}

/** Tests for a field that is also a structure, such as `a.b` and `a.b.c`. */
function hasMixedLevels(steps: readonly (readonly string[])[]) {
  const leaves = new Set(steps.map((list) => list.join(".")));
  return steps.some((list) => list.slice(1, -1).some((_, i) => leaves.has(list.slice(0, i + 2).join("."))));
}

/** A column, or a structure with its fields. */
export type ColumnNode =
  | { readonly column: SqlColumn }
  | { readonly name: string; readonly isRequired: boolean; readonly fields: readonly ColumnNode[] };

/** Groups columns into structures by their paths. */
export function toColumnNodes(columns: readonly SqlColumn[], level = 0): readonly ColumnNode[] {
  const nodes: ColumnNode[] = [];
  for (let i = 0; i < columns.length; ) {
    const column = columns[i] as SqlColumn;
    const step = column.path?.[level];
    if (column.path === undefined || level === column.path.length - 1 || step === undefined) {
      nodes.push({ column });
      i += 1;
      continue;
    }
    let end = i + 1;
    while (end < columns.length && columns[end]?.path?.[level] === step) end += 1;
    const own = columns.slice(i, end);
    const isRequired = own.some((one) => one.isRequired);
    nodes.push({ name: step, isRequired, fields: toColumnNodes(own, level + 1) });
    i = end;
  }
  return nodes;
}

/** Formats a structure with its fields. */
export function formatStructure(
  node: ColumnNode,
  formatField: (column: SqlColumn) => string,
  dialect: DdlDialect,
): string {
  if ("column" in node) return formatField(node.column);
  const fields = node.fields.map((one) => formatStructure(one, formatField, dialect)).join(", ");
  const required = node.isRequired ? " NOT NULL" : "";
  return `${quoteName(node.name, dialect.names)} ${dialect.structures}<${fields}>${required}`;
}
