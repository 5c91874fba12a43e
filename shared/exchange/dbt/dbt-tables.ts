import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { restOf, textIn, textsIn } from "../tables/kept-rest.ts";
import type { NamedPart } from "../tables/parts.ts";
import type { SourceColumn, SourceReference, SourceTable } from "../tables/source-tables.ts";
import { sqlType } from "../tables/sql-type.ts";
import { constraintsIn, type DbtTest, factsOf, testsIn } from "./dbt-tests.ts";

/** A model, seed, snapshot or source table before its tests became keys and constraints. */
export interface DbtTable {
  /** `ref <name>` or `source <source>.<name>`, as other tables refer to it. */
  readonly id: string;
  readonly name: string;
  readonly source: JsonObject;
  readonly columns: readonly NamedPart[];
  /** Its tests that stand elsewhere. */
  readonly tests: readonly DbtTest[];
  readonly kept: JsonObject;
  readonly path: readonly string[];
  readonly findings: Findings;
}

const COLUMN_MEMBERS = new Set([
  ...["name", "description", "data_type", "constraints", "tests", "data_tests", "tags", "index"],
]);
const TYPE = "any";

/** A table with its keys, and the references that its tests and foreign keys tell of. */
export function dbtTable(table: DbtTable): readonly [SourceTable, readonly SourceReference[]] {
  const { id, name, source, columns, path, findings } = table;
  const tests = [
    ...table.tests,
    ...testsIn(source.tests),
    ...testsIn(source.data_tests),
    ...constraintsIn(source.constraints),
    ...columns.flatMap((one) => [
      ...testsIn(one.source.tests, one.name),
      ...testsIn(one.source.data_tests, one.name),
      ...constraintsIn(one.source.constraints, one.name),
    ]),
  ];
  const facts = factsOf(tests);
  const others = Map.groupBy(facts.others, ({ column }) => column);
  const othersOf = (column: string | undefined) => (others.get(column) ?? []).map((test) => test.source);
  const unique = new Set(facts.unique.flatMap((set) => (set.length === 1 ? set : [])));
  const own = othersOf(undefined);
  const made: SourceTable = {
    ...{ id, name, path, findings },
    description: textWithDocs(source, findings),
    tags: tagsOf(source),
    columns: columns.map((one) => columnOf(one, facts, unique.has(one.name), othersOf(one.name), [...path, one.name])),
    primaryKey: facts.primaryKey,
    unique: facts.unique,
    kept: { ...table.kept, tests: own },
  };
  const references = facts.references.map(({ columns: from, to, referred }): SourceReference => {
    return { from: id, to, columns: from, referred, path: [...path, "references", ...from], findings };
  });
  return [made, references];
}

function columnOf(
  { source, name, findings }: NamedPart,
  facts: ReturnType<typeof factsOf>,
  isUnique: boolean,
  others: readonly unknown[],
  path: readonly string[],
): SourceColumn {
  const said = textIn(source, "data_type");
  const sql = said === undefined ? undefined : sqlType(said);
  return {
    ...{ name, path, findings },
    description: textWithDocs(source, findings),
    tags: tagsOf(source),
    type: sql?.type ?? TYPE,
    optional: !facts.notNull.has(name),
    constraints: { ...sql?.constraints, enum: facts.values.get(name), ...(isUnique && { unique: true }) },
    kept: { ...sql?.kept, ...restOf(source, COLUMN_MEMBERS, { quote: false }), tests: others },
  };
}

/** The tags of a part, which may stand in its configuration. */
function tagsOf(source: JsonObject): readonly string[] {
  const { config, tags } = source;
  const single = typeof tags === "string" ? [tags] : [];
  return [...new Set([...single, ...textsIn(source, "tags"), ...(isObject(config) ? textsIn(config, "tags") : [])])];
}

function textWithDocs(source: JsonObject, findings: Findings): string | undefined {
  const text = textIn(source, "description");
  if (text !== undefined && /\{\{\s*doc\(/.test(text)) {
    findings.warn(
      "/description",
      "not_carried_over",
      "the block of documentation that it calls stands in another file; the call stays",
    );
  }
  return text;
}
