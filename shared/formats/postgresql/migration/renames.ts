import type { SqlEnum } from "../../ddl/names.ts";
import type { SqlTable } from "../../ddl/tables.ts";
import {
  type Drafting,
  listTakenNames,
  type Step,
  tieSteps,
  toColumnScope,
  toConstraintScope,
  toNameMark,
  toObjectMark,
  toSchemaScope,
} from "./draft.ts";
import { findEnumChange, isRecreated, type KeptTable, type Pair } from "./matched-schema.ts";
import { qualifyName, quoteName } from "./statements.ts";

/** Renames and moves existing objects to their names on the right. */
export function addRenames(drafting: Drafting): void {
  const { match, left, right, enumNow } = drafting;
  const { keptTables, foreignKeys } = match;
  const currentNames = new Map<SqlTable | SqlEnum, string>();
  const createRename = <T extends SqlTable | SqlEnum>(kind: "TABLE" | "TYPE", source: T, target?: T): Rename => {
    let { schema } = source;
    currentNames.set(source, source.text);
    return {
      scope: toSchemaScope(schema),
      newScope: toSchemaScope(target ? target.schema : schema),
      from: source.name,
      to: target?.name,
      things: target ? [source, target] : [source],
      rename: (from, to) => `ALTER ${kind} ${qualifyName(schema, from)} RENAME TO ${quoteName(to)};`,
      move: (name) => `ALTER ${kind} ${qualifyName(schema, name)} SET SCHEMA ${quoteName(target?.schema ?? "public")};`,
      onStep: (name, hasMoved) => {
        if (hasMoved && target) schema = target.schema;
        currentNames.set(source, qualifyName(schema, name));
      },
    };
  };
  const enums = [
    ...match.enums.pairs.map((pair) =>
      createRename("TYPE", pair.left, findEnumChange(pair, match) === "replaced" ? undefined : pair.right),
    ),
    ...match.enums.removals
      .filter((one) => listTakenNames(right).has(toObjectMark(one)))
      .map((one) => createRename("TYPE", one)),
  ];
  const tables = match.tables.pairs.map((pair) => createRename("TABLE", pair.left, pair.right));
  const createRenamedConstraint = (
    table: KeptTable,
    pair: Pair<{ readonly name: string }>,
    toScope: (table: SqlTable) => string = () => toConstraintScope(table.left),
  ): Rename => ({
    ...{ scope: toScope(table.left), newScope: toScope(table.right), table: table.right },
    ...{ from: pair.left.name, to: pair.right.name, things: [pair.right] },
    rename: (from, to) =>
      `ALTER TABLE ${currentNames.get(table.left)} RENAME CONSTRAINT ${quoteName(from)} TO ${quoteName(to)};`,
  });
  const constraints = [
    ...keptTables.flatMap((table) => [
      ...table.keys.pairs.map((pair) => createRenamedConstraint(table, pair, ({ schema }) => toSchemaScope(schema))),
      // Names of other constraints are local to their table.
      ...table.checks.pairs.map((pair) => createRenamedConstraint(table, pair)),
    ]),
    ...foreignKeys.pairs.flatMap((pair) => {
      const table = keptTables.find((one) => one.left === pair.left.from);
      return table && !isRecreated(pair, match) ? [createRenamedConstraint(table, pair)] : [];
    }),
  ];
  renameAll(drafting, [...tables, ...enums, ...constraints], listTakenNames(left));
  for (const table of keptTables) {
    const scope = toColumnScope(table.left);
    const columns = table.columns.pairs.map(
      ({ left: source, right: target }): Rename => ({
        ...{ scope, newScope: scope, from: source.name, to: target.name, things: [target], table: table.right },
        rename: (from, to) => `ALTER TABLE ${table.right.text} RENAME COLUMN ${quoteName(from)} TO ${quoteName(to)};`,
      }),
    );
    renameAll(drafting, columns, new Set());
  }
  for (const one of [...match.enums.removals, ...match.enums.pairs.map((pair) => pair.left)]) {
    enumNow.set(one, currentNames.get(one) ?? one.text);
  }
}

interface Rename {
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
function renameAll(drafting: Drafting, renames: readonly Rename[], others: ReadonlySet<string>) {
  const changes = ({ to, from, newScope, scope }: Rename) => to !== from || newScope !== scope;
  const newNames = new Set(
    renames.flatMap((one) => (one.to !== undefined && changes(one) ? [toNameMark(one.newScope, one.to)] : [])),
  );
  const steps = new Map<Rename, Step[]>();
  const names = new Map(renames.map((one) => [one, one.from]));
  const getName = (one: Rename) => names.get(one) ?? one.from;
  const run = (one: Rename, sql: string, name: string, marks: Pick<Step, "takes" | "frees">, hasMoved: boolean) => {
    const before = steps.get(one) ?? [];
    const needs = [...drafting.findSteps(one.table), ...before];
    steps.set(one, [...before, drafting.add(sql, { ...marks, needs, things: one.things })]);
    names.set(one, name);
    one.onStep?.(name, hasMoved);
  };
  for (const one of renames) {
    const { scope, newScope, from, to } = one;
    const isBlocking = to === undefined || (changes(one) && newNames.has(toNameMark(scope, from)));
    const isMet = newScope !== scope && others.has(toNameMark(newScope, from));
    if (!isBlocking && !isMet) continue;
    const tempName = drafting.makeName();
    run(one, one.rename(from, tempName), tempName, { takes: [], frees: [toNameMark(scope, from)] }, false);
  }
  for (const one of renames) {
    const { scope, newScope, to } = one;
    if (to === undefined || scope === newScope || !one.move) continue;
    const name = getName(one);
    run(one, one.move(name), name, { takes: [toNameMark(newScope, name)], frees: [toNameMark(scope, name)] }, true);
  }
  for (const one of renames) {
    const { newScope, to } = one;
    const name = getName(one);
    if (to === undefined || to === name) continue;
    const marks = { takes: [toNameMark(newScope, to)], frees: [toNameMark(newScope, name)] };
    run(one, one.rename(name, to), to, marks, true);
  }
  for (const all of steps.values()) tieSteps(...all);
}
