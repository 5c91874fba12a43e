import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { isEmpty } from "../members.ts";
import type { NamedPart } from "../tables/parts.ts";
import type { DbtTable } from "./dbt-tables.ts";
import { bare, type DbtTest, isOfAllRows } from "./dbt-tests.ts";

const KINDS = new Set(["model", "seed", "snapshot"]);

/** Members of a node that say something about its table; all others tell how the file was made. */
const KEPT = [
  ...["resource_type", "database", "schema", "alias", "identifier", "package_name", "original_file_path", "meta"],
  ...["access", "group", "version", "latest_version", "deprecation_date", "loader", "source_description", "freshness"],
];

/** The tables of a manifest: its models, seeds, snapshots and sources, with the tests that are nodes of their own. */
export function manifestTables(manifest: JsonObject, findings: Findings): readonly DbtTable[] {
  const nodes = entriesOf(manifest, "nodes", findings);
  const tests = testsByNode(nodes.map(({ source }) => source));
  const models = nodes.filter(({ source }) => KINDS.has(String(source.resource_type)));
  const sources = entriesOf(manifest, "sources", findings);
  return [
    ...models.map(({ id, ...part }) =>
      tableOf(part, `ref ${nameOf(part.source)}`, nameOf(part.source), id, tests.get(id)),
    ),
    ...sources.map(({ id, ...part }) => {
      const name = `${part.source.source_name}.${nameOf(part.source)}`;
      return tableOf(part, `source ${name}`, name, id, tests.get(id));
    }),
  ];
}

/** Warns of the parts of a manifest that are no tables, of which each is counted once. */
export function warnUnreadParts(manifest: JsonObject, findings: Findings): void {
  for (const part of ["exposures", "metrics", "semantic_models", "saved_queries", "groups", "unit_tests"]) {
    for (const name of Object.keys(isObject(manifest[part]) ? manifest[part] : {})) {
      findings.warn(
        `/${part}/${pointerToken(name)}`,
        "not_carried_over",
        `is one of ${part}, which are not carried over`,
      );
    }
  }
  for (const { id, source } of entriesOf(manifest, "nodes", findings)) {
    if (!KINDS.has(String(source.resource_type)) || isEmpty(source.raw_code)) continue;
    findings.warn(`/nodes/${pointerToken(id)}/raw_code`, "not_carried_over", "the query is not carried over");
  }
}

const nameOf = ({ name }: JsonObject): string => String(name);

function entriesOf(manifest: JsonObject, member: string, findings: Findings) {
  const all = manifest[member];
  return Object.entries(isObject(all) ? all : {}).flatMap(([id, source]) =>
    isObject(source) && typeof source.name === "string"
      ? [{ id, source, findings: findings.at(`/${member}/${pointerToken(id)}`) }]
      : [],
  );
}

/** The generic tests by the id of the node that they look at. */
function testsByNode(nodes: readonly JsonObject[]): ReadonlyMap<string, readonly DbtTest[]> {
  const tests = new Map<string, DbtTest[]>();
  for (const node of nodes) {
    const { resource_type, test_metadata: metadata, attached_node, column_name, depends_on, config } = node;
    if (resource_type !== "test" || !isObject(metadata) || typeof metadata.name !== "string") continue;
    const on = isObject(depends_on) && Array.isArray(depends_on.nodes) ? depends_on.nodes.at(-1) : undefined;
    const id = String(attached_node ?? on);
    const given = isObject(metadata.kwargs) ? metadata.kwargs : {};
    const args = isObject(given.arguments) ? { ...given, ...given.arguments } : given;
    const { model: _, ...others } = args;
    const column = [column_name, args.column_name].find((one) => typeof one === "string");
    const test: DbtTest = {
      name: bare(metadata.name),
      column,
      args,
      isWhole: isOfAllRows(config) && isOfAllRows(args),
      source: { [metadata.name]: others },
    };
    const earlier = tests.get(id);
    if (earlier) earlier.push(test);
    else tests.set(id, [test]);
  }
  return tests;
}

function tableOf(
  { source, findings }: Omit<NamedPart, "name">,
  id: string,
  name: string,
  node: string,
  tests: readonly DbtTest[] = [],
): DbtTable {
  const columns = Object.entries(isObject(source.columns) ? source.columns : {}).flatMap(([key, column]) => {
    if (!isObject(column)) return [];
    const here = findings.at(`/columns/${pointerToken(key)}`);
    return [{ source: column, name: typeof column.name === "string" ? column.name : key, findings: here }];
  });
  const config = isObject(source.config) ? source.config : {};
  const said = Object.entries(config).filter(([member, value]) => !NO_SETTING.has(member) && saysSomething(value));
  const members = KEPT.map((member) => [member, source[member]] as const).filter(([, value]) => saysSomething(value));
  const kept = { ...Object.fromEntries(members), ...(said.length > 0 && { config: Object.fromEntries(said) }) };
  return { id, name, source, columns, tests, kept, path: [node], findings };
}

/** Settings that stand at the node as well, or at none but to run it. */
const NO_SETTING = new Set(["tags", "meta", "alias", "schema", "database", "group", "access", "enabled"]);

function saysSomething(value: unknown): boolean {
  return !isEmpty(value) && value !== false && !(isObject(value) && Object.keys(value).length === 0);
}
