import { qualifyName, quoteName, type SqlEnum } from "../names.ts";
import type { SqlTable } from "../schema.ts";
import {
  type Drafting,
  listTakenNames,
  type Step,
  tieSteps,
  toColumnScope,
  toConstraintScope,
  toNameMark,
  toPlaceMark,
  toSchemaScope,
} from "./draft.ts";
import { findEnumChange, isRecreated, type Kept, type KeptTable } from "./matched-schema.ts";

/** Renames and moves existing objects to their names on the right. */
export function addRenames(drafting: Drafting): void {
  const { matched, left, right, enumNow } = drafting;
  const { keptTables, foreignKeys } = matched;
  const now = new Map<SqlTable | SqlEnum, string>();
  const createRenamed = <T extends SqlTable | SqlEnum>(sort: "TABLE" | "TYPE", was: T, is?: T): Renamed => {
    let { schema } = was;
    now.set(was, was.text);
    return {
      scope: toSchemaScope(schema),
      newScope: toSchemaScope(is ? is.schema : schema),
      from: was.name,
      to: is?.name,
      things: is ? [was, is] : [was],
      rename: (from, to) => `ALTER ${sort} ${qualifyName(schema, from)} RENAME TO ${quoteName(to)};`,
      move: (name) => `ALTER ${sort} ${qualifyName(schema, name)} SET SCHEMA ${quoteName(is?.schema ?? "public")};`,
      onStep: (name, hasMoved) => {
        if (hasMoved && is) schema = is.schema;
        now.set(was, qualifyName(schema, name));
      },
    };
  };
  const enums = [
    ...matched.enums.kept.map((kept) =>
      createRenamed("TYPE", kept.left, findEnumChange(kept, matched) === "replaced" ? undefined : kept.right),
    ),
    ...matched.enums.removed
      .filter((one) => listTakenNames(right).has(toPlaceMark(one)))
      .map((one) => createRenamed("TYPE", one)),
  ];
  const tables = matched.tables.kept.map((kept) => createRenamed("TABLE", kept.left, kept.right));
  const createRenamedConstraint = (
    table: KeptTable,
    kept: Kept<{ readonly name: string }>,
    toScope: (table: SqlTable) => string = () => toConstraintScope(table.left),
  ): Renamed => ({
    ...{ scope: toScope(table.left), newScope: toScope(table.right), table: table.right },
    ...{ from: kept.left.name, to: kept.right.name, things: [kept.right] },
    rename: (from, to) =>
      `ALTER TABLE ${now.get(table.left)} RENAME CONSTRAINT ${quoteName(from)} TO ${quoteName(to)};`,
  });
  const constraints = [
    ...keptTables.flatMap((table) => [
      ...table.keys.kept.map((kept) => createRenamedConstraint(table, kept, ({ schema }) => toSchemaScope(schema))),
      // Names of other constraints are local to their table.
      ...table.checks.kept.map((kept) => createRenamedConstraint(table, kept)),
    ]),
    ...foreignKeys.kept.flatMap((kept) => {
      const table = keptTables.find((one) => one.left === kept.left.from);
      return table && !isRecreated(kept, matched) ? [createRenamedConstraint(table, kept)] : [];
    }),
  ];
  renameAll(drafting, [...tables, ...enums, ...constraints], listTakenNames(left));
  for (const table of keptTables) {
    const scope = toColumnScope(table.left);
    const columns = table.columns.kept.map(
      ({ left: was, right: is }): Renamed => ({
        ...{ scope, newScope: scope, from: was.name, to: is.name, things: [is], table: table.right },
        rename: (from, to) => `ALTER TABLE ${table.right.text} RENAME COLUMN ${quoteName(from)} TO ${quoteName(to)};`,
      }),
    );
    renameAll(drafting, columns, new Set());
  }
  for (const one of [...matched.enums.removed, ...matched.enums.kept.map((kept) => kept.left)]) {
    enumNow.set(one, now.get(one) ?? one.text);
  }
}

interface Renamed {
  readonly scope: string;
  readonly newScope: string;
  readonly from: string;
  /** Undefined for an object that is dropped later and only releases its name. */
  readonly to: string | undefined;
  readonly things: readonly object[];
  readonly table?: SqlTable;
  readonly rename: (from: string, to: string) => string;
  readonly move?: (name: string) => string;
  readonly onStep?: (name: string, hasMoved: boolean) => void;
}

/** Renames and moves objects, first to a temporary name where names conflict. `others` are also taken. */
function renameAll(drafting: Drafting, things: readonly Renamed[], others: ReadonlySet<string>): void {
  const changes = ({ to, from, newScope, scope }: Renamed): boolean => to !== from || newScope !== scope;
  const wanted = new Set(
    things.flatMap((one) => (one.to !== undefined && changes(one) ? [toNameMark(one.newScope, one.to)] : [])),
  );
  const steps = new Map<Renamed, Step[]>();
  const names = new Map(things.map((one) => [one, one.from]));
  const getName = (one: Renamed): string => names.get(one) ?? one.from;
  const run = (one: Renamed, sql: string, name: string, marks: Pick<Step, "takes" | "frees">, hasMoved: boolean) => {
    const before = steps.get(one) ?? [];
    const needs = [...drafting.findSteps(one.table), ...before];
    steps.set(one, [...before, drafting.add(sql, { ...marks, needs, things: one.things })]);
    names.set(one, name);
    one.onStep?.(name, hasMoved);
  };
  for (const one of things) {
    const { scope, newScope, from, to } = one;
    const isInTheWay = to === undefined || (changes(one) && wanted.has(toNameMark(scope, from)));
    const isMet = newScope !== scope && others.has(toNameMark(newScope, from));
    if (!isInTheWay && !isMet) continue;
    const aside = drafting.makeName();
    run(one, one.rename(from, aside), aside, { takes: [], frees: [toNameMark(scope, from)] }, false);
  }
  for (const one of things) {
    const { scope, newScope, to } = one;
    if (to === undefined || scope === newScope || !one.move) continue;
    const name = getName(one);
    run(one, one.move(name), name, { takes: [toNameMark(newScope, name)], frees: [toNameMark(scope, name)] }, true);
  }
  for (const one of things) {
    const { newScope, to } = one;
    const name = getName(one);
    if (to === undefined || to === name) continue;
    const marks = { takes: [toNameMark(newScope, to)], frees: [toNameMark(newScope, name)] };
    run(one, one.rename(name, to), to, marks, true);
  }
  for (const all of steps.values()) tieSteps(...all);
}
