import type { RelationshipDocument } from "../../domain/document/document.ts";
import type { ModelReference, ModelTable } from "../common/writing/model-tables.ts";
import { toDerivedKey } from "../common/writing/read-back.ts";
import { canJoin, type SqlColumn } from "./columns.ts";
import type { DdlDialect, ReferenceAction } from "./dialect.ts";
import { describeNames, type MadeName } from "./names.ts";
import type { SqlTable } from "./tables.ts";

/** A foreign key for a relationship. */
export interface SqlForeignKey extends MadeName {
  readonly relationship: RelationshipDocument;
  readonly from: SqlTable;
  readonly to: SqlTable;
  readonly columns: readonly SqlColumn[];
  readonly targets: readonly SqlColumn[];
  readonly description: string | undefined;
  readonly onDelete: ReferenceAction | undefined;
  readonly onUpdate: ReferenceAction | undefined;
}

/** Converts relationships to foreign keys. Warns about those that the dialect does not allow. */
export function createForeignKeys(
  references: readonly ModelReference[],
  tables: ReadonlyMap<ModelTable, SqlTable>,
  dialect: DdlDialect,
): readonly SqlForeignKey[] {
  const sides = references.flatMap((reference) => {
    const join = toJoin(reference, tables, dialect);
    if (typeof join === "string") reference.at.warn("", "not_written", join);
    return typeof join === "string" ? [] : [{ reference, ...join }];
  });
  const own = new Map(
    sides
      .filter(({ reference }) => reference.relationship.key !== toDerivedKey(reference))
      .map(({ reference, from }) => [reference, from.names.take(reference.relationship.key)]),
  );
  const readActions = createActionReader(dialect);
  return sides.map(({ reference, ...join }) => {
    const { relationship, at } = reference;
    const { key, name: title, description } = relationship;
    const { from, columns } = join;
    const name = own.get(reference);
    if (name !== undefined && name !== key) {
      at.warn("/key", "written_otherwise", describeNames(dialect.name, dialect.names));
    }
    if (title !== undefined && title !== key)
      at.warn("/name", "not_written", "foreign keys have no name in addition to their key");
    const naming: MadeName =
      name === undefined
        ? from.names.make(from.name, ...columns.map((one) => one.name), "fkey")
        : { name, isExplicit: true };
    return { ...join, ...naming, relationship, description, ...readActions(reference, join) };
  });
}

type Join = Pick<SqlForeignKey, "from" | "to" | "columns" | "targets">;

function toJoin(
  { from, to, columns, targets }: ModelReference,
  tables: ReadonlyMap<ModelTable, SqlTable>,
  dialect: DdlDialect,
): Join | string {
  const [source, target] = [tables.get(from), tables.get(to)];
  const { maxColumns } = dialect.keys;
  if (!source || !target) return "views have no foreign keys";
  if (columns.length > maxColumns) return `${dialect.name} keys have at most ${maxColumns} columns`;
  if (new Set(columns).size < columns.length) return "foreign keys cannot repeat a column";
  const isPrimary = dialect.references.targets === "primary";
  const keys = [...(target.primaryKey ? [target.primaryKey] : []), ...(isPrimary ? [] : target.unique)];
  const isKey = keys.some(
    (key) => key.columns.length === targets.length && key.columns.every((one) => targets.includes(one.key)),
  );
  if (!isKey) return `foreign keys must refer to a primary ${isPrimary ? "" : "or unique "}key`;
  const pick = (table: SqlTable, list: readonly string[]) =>
    list.map((key) => table.byKey.get(key)).filter((one) => one !== undefined);
  const [own, other] = [pick(source, columns), pick(target, targets)];
  const isLike =
    own.length === columns.length && own.every((one, i) => other[i] && canJoin(one.type, other[i].type, dialect));
  if (!isLike) return "foreign keys must join columns of equal types";
  return { from: source, to: target, columns: own, targets: other };
}

type Actions = Pick<SqlForeignKey, "onDelete" | "onUpdate">;

/** Creates a function that reads the actions of foreign keys, one by one. */
function createActionReader(dialect: DdlDialect): (reference: ModelReference, join: Join) => Actions {
  const { actions, isTree } = dialect.references;
  const tree = new ChangeTree();
  const hasCheck = createCheckTest();
  return ({ relationship, at }, { from, to, columns }) => {
    const read = (member: "onDelete" | "onUpdate"): ReferenceAction | undefined => {
      const value = relationship.properties?.[`sql:${member}`];
      if (value === undefined) return undefined;
      const action = actions.find((one) => one === value);
      const isNull = action === "set null" && columns.some((one) => one.isRequired);
      const changes = member === "onUpdate" || action === "set null";
      const isChecked = dialect.references.refusesChecked && changes && columns.some((one) => hasCheck(from, one));
      if (action && !isNull && !isChecked && columns.every(({ generated }) => generated === undefined)) return action;
      const reason = isNull
        ? "a required column cannot be set to NULL"
        : isChecked
          ? "a column with a check has no such action"
          : "it has no such action";
      at.warn(`/properties/sql:${member}`, "not_written", `${dialect.name}: ${reason}`);
      return undefined;
    };
    const result = { onDelete: read("onDelete"), onUpdate: read("onUpdate") };
    const members = (["onDelete", "onUpdate"] as const).filter((one) => result[one] !== undefined);
    if (!isTree || members.length === 0 || tree.join(from, to)) return result;
    for (const member of members) {
      const reason = "rows of a table can be changed along one path of foreign keys only";
      at.warn(`/properties/sql:${member}`, "not_written", `${dialect.name}: ${reason}`);
    }
    return { onDelete: undefined, onUpdate: undefined };
  };
}

/** Creates a test for a column that a check of its table uses. */
function createCheckTest(): (table: SqlTable, column: SqlColumn) => boolean {
  const words = new Map<SqlTable, ReadonlySet<string>>();
  return (table, column) => {
    const own = words.get(table) ?? listCheckedWords(table);
    words.set(table, own);
    const isWord = /^[\p{L}\p{N}_$]+$/u.test(column.name);
    return (table.checks.get(column) ?? []).length > 0 || (isWord ? own.has(column.name) : own.size > 0);
  };
}

function listCheckedWords({ tableChecks }: SqlTable): ReadonlySet<string> {
  return new Set(tableChecks.flatMap(({ condition }) => condition.match(/[\p{L}\p{N}_$]+/gu) ?? []));
}

/** Tables along whose foreign keys changes are passed on: each has at most one parent, without cycles. */
class ChangeTree {
  readonly #roots = new Map<SqlTable, SqlTable>();
  readonly #children = new Set<SqlTable>();

  /** Adds a foreign key. Returns false if there would be a second path. */
  join(child: SqlTable, parent: SqlTable): boolean {
    if (this.#children.has(child) || this.#findRoot(parent) === child || child === parent) return false;
    this.#children.add(child);
    this.#roots.set(child, this.#findRoot(parent));
    return true;
  }

  #findRoot(table: SqlTable): SqlTable {
    let root = table;
    for (let next = this.#roots.get(root); next; next = this.#roots.get(root)) root = next;
    // Shortens the paths of later calls.
    for (let one = table; one !== root; ) {
      const next = this.#roots.get(one) ?? root;
      this.#roots.set(one, root);
      one = next;
    }
    return root;
  }
}
