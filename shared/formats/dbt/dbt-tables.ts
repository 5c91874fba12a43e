import type { Diagnostics } from "../common/diagnostics.ts";
import {
  isObject,
  type JsonObject,
  listTexts,
  type NamedPart,
  omitRead,
  readOptionalText,
} from "../common/json-object.ts";
import { parseSqlType } from "../common/sql-type.ts";
import type { SourceColumn, SourceReference, SourceTable } from "../common/tables/source-tables.ts";

/** A model, seed, snapshot or source table, before its tests are read. */
export interface DbtTable {
  /** `ref <name>` or `source <source>.<name>`, as other tables refer to it. */
  readonly id: string;
  readonly name: string;
  readonly source: JsonObject;
  readonly columns: readonly NamedPart[];
  readonly tests: readonly DbtTest[];
  readonly rest: JsonObject;
  readonly path: readonly string[];
  readonly diagnostics: Diagnostics;
}

const COLUMN_MEMBERS = new Set([
  ...["name", "description", "data_type", "constraints", "tests", "data_tests", "tags", "index"],
]);
const UNKNOWN_TYPE = "any";

/** Converts a table with its keys, and returns the references of its tests and foreign keys. */
export function toSourceTable(table: DbtTable): readonly [SourceTable, readonly SourceReference[]] {
  const { id, name, source, columns, path, diagnostics } = table;
  const tests = [
    ...table.tests,
    ...readTests(source.tests),
    ...readTests(source.data_tests),
    ...readConstraints(source.constraints),
    ...columns.flatMap((one) => [
      ...readTests(one.source.tests, one.name),
      ...readTests(one.source.data_tests, one.name),
      ...readConstraints(one.source.constraints, one.name),
    ]),
  ];
  const facts = collectFacts(tests);
  const others = Map.groupBy(facts.others, ({ column }) => column);
  const getOtherTests = (column: string | undefined) => (others.get(column) ?? []).map((test) => test.source);
  const unique = new Set(facts.unique.flatMap((set) => (set.length === 1 ? set : [])));
  const own = getOtherTests(undefined);
  const sourceTable: SourceTable = {
    ...{ id, name, path, diagnostics },
    description: readDescriptionText(source, diagnostics),
    tags: readTags(source),
    columns: columns.map((one) =>
      toSourceColumn(one, facts, unique.has(one.name), getOtherTests(one.name), [...path, one.name]),
    ),
    primaryKey: facts.primaryKey,
    unique: facts.unique,
    rest: { ...table.rest, tests: own },
  };
  const references = facts.references.map(({ columns: from, to, targets }): SourceReference => {
    return { from: id, to, columns: from, targets, path: [...path, "references", ...from], diagnostics };
  });
  return [sourceTable, references];
}

function toSourceColumn(
  { source, name, diagnostics }: NamedPart,
  facts: ReturnType<typeof collectFacts>,
  isUnique: boolean,
  others: readonly unknown[],
  path: readonly string[],
): SourceColumn {
  const dataType = readOptionalText(source, "data_type");
  const sql = dataType === undefined ? undefined : parseSqlType(dataType);
  return {
    ...{ name, path, diagnostics },
    description: readDescriptionText(source, diagnostics),
    tags: readTags(source),
    type: sql?.type ?? UNKNOWN_TYPE,
    optional: !facts.notNull.has(name),
    constraints: { ...sql?.constraints, enum: facts.values.get(name), ...(isUnique && { unique: true }) },
    rest: { ...sql?.rest, ...omitRead(source, COLUMN_MEMBERS, { quote: false }), tests: others },
  };
}

function readTags(source: JsonObject): readonly string[] {
  const { config, tags } = source;
  return [...new Set([...listTexts(tags), ...(isObject(config) ? listTexts(config.tags) : [])])];
}

function readDescriptionText(source: JsonObject, diagnostics: Diagnostics): string | undefined {
  const text = readOptionalText(source, "description");
  if (text !== undefined && /\{\{\s*doc\(/.test(text)) {
    const detail = "the documentation block is in another file; the reference is kept";
    diagnostics.warn("/description", "not_carried_over", detail);
  }
  return text;
}

/** A test or constraint of a column or table. */
export interface DbtTest {
  readonly name: string;
  readonly column?: string | undefined;
  readonly args: JsonObject;
  /** False for a test of some rows only or with severity `warn`. */
  readonly isWhole: boolean;
  readonly source: unknown;
}

type DbtReference = Pick<SourceReference, "columns" | "to" | "targets">;

function readTests(list: unknown, column?: string): readonly DbtTest[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown): readonly DbtTest[] => {
    if (typeof one === "string") return [{ name: removePackage(one), column, args: {}, isWhole: true, source: one }];
    if (!isObject(one)) return [];
    const { test_name: testName, name: _, config, ...rest } = one;
    const [first] = Object.entries(rest).find(([, value]) => isObject(value)) ?? [];
    const name = typeof testName === "string" ? testName : first;
    if (name === undefined) return [];
    const own = typeof testName === "string" ? rest : rest[name];
    const options = isObject(own) ? own : {};
    const args = isObject(options.arguments) ? { ...options, ...options.arguments } : options;
    const isWhole = [config, args.config, args].every(coversAllRows);
    return [{ name: removePackage(name), column, args, isWhole, source: one }];
  });
}

function readConstraints(list: unknown, column?: string): readonly DbtTest[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((one): DbtTest => {
    const name = typeof one.type === "string" ? one.type : "";
    return { name, column, args: one, isWhole: true, source: one };
  });
}

export function removePackage(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Returns true unless the settings filter rows, disable the test or only warn. */
export function coversAllRows(config: unknown): boolean {
  if (!isObject(config)) return true;
  const isOff = config.enabled === false || (typeof config.severity === "string" && /warn/i.test(config.severity));
  return !isOff && (config.where === undefined || config.where === null);
}

function collectFacts(tests: readonly DbtTest[]) {
  const notNull = new Set<string>();
  const unique: (readonly string[])[] = [];
  const values = new Map<string, readonly unknown[]>();
  const references: DbtReference[] = [];
  const others: DbtTest[] = [];
  let primaryKey: readonly string[] = [];
  for (const test of tests) if (!test.isWhole || !take(test)) others.push(test);
  return { notNull, unique, primaryKey, values, references, others };

  function take({ name, column, args }: DbtTest) {
    const columnNames = listTexts(args.columns ?? args.combination_of_columns ?? args.column_names);
    const columns = columnNames.length > 0 ? columnNames : column === undefined ? [] : [column];
    if (columns.length === 0) return false;
    switch (name) {
      case "not_null":
        for (const one of columns) notNull.add(one);
        return true;
      case "unique":
      case "unique_combination_of_columns":
      case "unique_key":
        unique.push(columns);
        return true;
      case "primary_key":
        primaryKey = columns;
        for (const one of columns) notNull.add(one);
        return true;
      case "accepted_values":
        if (!Array.isArray(args.values) || columns[0] === undefined) return false;
        values.set(columns[0], args.values);
        return true;
      case "relationships":
      case "foreign_key": {
        const { to, expression } = args;
        const target = parseTableCall(typeof to === "string" ? to : args.pk_table_name);
        const targets = listTexts(args.field ?? args.to_columns ?? args.pk_column_name ?? args.pk_column_names);
        if (target === undefined || (expression !== undefined && expression !== null && targets.length === 0))
          return false;
        references.push({ columns, to: target, targets });
        return true;
      }
      default:
        return false;
    }
  }
}

/** Returns the id of the table in `ref('orders')` or `source('shop', 'orders')`. Returns undefined for other texts. */
function parseTableCall(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const [, call, list = ""] = /\b(ref|source)\(([^()]*)\)/.exec(text) ?? [];
  const names = [...list.matchAll(/(?:^|,)\s*(?:'([^']*)'|"([^"]*)")/g)].map(([, a, b]) => a ?? b ?? "");
  if (call === "source") return names.length === 2 ? `source ${names.join(".")}` : undefined;
  const name = names.at(-1);
  return call === undefined || name === undefined ? undefined : `ref ${name}`;
}
