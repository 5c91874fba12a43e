import type { SqlEnum, SqlPlace } from "../enums.ts";
import { sqlName } from "../sql-text.ts";
import type { SqlTable } from "../tables.ts";
import { columnScope, constraintScope, type Drafting, namesOf, scopeOf } from "./drafting.ts";
import type { Kept } from "./matched-schema.ts";
import { enumChange, isRemade } from "./remade.ts";
import { nameIn, type Renamed, renameAll } from "./rename.ts";

/** A name in a schema, as statements have it. */
function textOf(schema: string | undefined, name: string): string {
  return schema === undefined ? sqlName(name) : `${sqlName(schema)}.${sqlName(name)}`;
}

/** Gives tables, enums, constraints and columns that stay the names that they have on the right. */
export function renameThings(drafting: Drafting): void {
  const { draft, matched, left, right, interim, by, ready } = drafting;
  const now = new Map<SqlTable | SqlEnum, string>();
  const rightNames = namesOf(right);
  const placed = (sort: "TABLE" | "TYPE", was: SqlTable | SqlEnum, is: SqlPlace | undefined): Renamed => {
    let schema = was.schema;
    now.set(was, was.text);
    return {
      scope: scopeOf(was.schema),
      newScope: scopeOf(is ? is.schema : was.schema),
      from: was.name,
      to: is?.name,
      rename: (from, to) => `ALTER ${sort} ${textOf(schema, from)} RENAME TO ${sqlName(to)};`,
      move: (name) => `ALTER ${sort} ${textOf(schema, name)} SET SCHEMA ${sqlName(is?.schema ?? "public")};`,
      onStep: (step, name, hasMoved) => {
        if (hasMoved && is) schema = is.schema;
        now.set(was, textOf(schema, name));
        by(was, step);
        if (is) by(is, step);
      },
    };
  };
  const enums = [
    ...matched.enums.kept.map((kept) =>
      enumChange(kept, matched) === "replaced"
        ? placed("TYPE", kept.left, undefined)
        : placed("TYPE", kept.left, kept.right),
    ),
    ...matched.enums.gone
      .filter(({ schema, name }) => rightNames.has(nameIn(scopeOf(schema), name)))
      .map((one) => placed("TYPE", one, undefined)),
  ];
  const tables = matched.tables.kept.map((kept) => placed("TABLE", kept.left, kept.right));
  const constraints = constraintsOf(drafting).map(
    ({ table, thing, from, to, of }): Renamed => ({
      scope: of(table.left),
      newScope: of(table.right),
      ...{ from, to },
      rename: (old, name) =>
        `ALTER TABLE ${now.get(table.left)} RENAME CONSTRAINT ${sqlName(old)} TO ${sqlName(name)};`,
      needs: () => ready(table.right),
      onStep: (step) => by(thing, step),
    }),
  );
  renameAll(draft, [...tables, ...enums, ...constraints], interim, namesOf(left));
  for (const table of matched.keptTables) {
    const scope = columnScope(table.left);
    const columns = table.columns.kept.map(
      ({ left: was, right: is }): Renamed => ({
        ...{ scope, newScope: scope, from: was.name, to: is.name },
        rename: (from, to) => `ALTER TABLE ${table.right.text} RENAME COLUMN ${sqlName(from)} TO ${sqlName(to)};`,
        needs: () => ready(table.right),
        onStep: (step) => by(is, step),
      }),
    );
    renameAll(draft, columns, interim, new Set());
  }
  for (const one of [...matched.enums.gone, ...matched.enums.kept.map((kept) => kept.left)]) {
    drafting.enumNow.set(one, now.get(one) ?? one.text);
  }
}

interface NamedConstraint {
  readonly table: Kept<SqlTable>;
  readonly thing: object;
  readonly from: string;
  readonly to: string;
  /** The scope of its name. */
  readonly of: (table: SqlTable) => string;
}

/** The constraints that stay as they are, with their names on both sides. */
function constraintsOf({ matched }: Drafting): readonly NamedConstraint[] {
  const inSchema = ({ schema }: SqlTable): string => scopeOf(schema);
  const { keptTables, foreignKeys } = matched;
  return [
    ...keptTables.flatMap((table) => [
      ...table.keys.kept.map(({ left, right }) => ({
        ...{ table, thing: right, from: left.name, to: right.name, of: inSchema },
      })),
      // Names of other constraints are those of one table.
      ...table.checks.kept.map(({ left, right }) => ({
        ...{ table, thing: right, from: left.name, to: right.name, of: () => constraintScope(table.left) },
      })),
    ]),
    ...foreignKeys.kept
      .filter((kept) => !isRemade(kept, matched))
      .flatMap(({ left, right }) => {
        const table = keptTables.find((one) => one.left === left.from);
        if (!table) return [];
        const of = (): string => constraintScope(table.left);
        return [{ table, thing: right, from: left.name, to: right.name, of }];
      }),
  ];
}
