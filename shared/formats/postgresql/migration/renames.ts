import { quoteName, type SqlEnum, type SqlPlace } from "../names.ts";
import type { SqlTable } from "../tables.ts";
import {
  type Draft,
  type Drafting,
  type Interim,
  listTakenNames,
  type Step,
  tieSteps,
  toColumnScope,
  toConstraintScope,
  toNameMark,
  toSchemaScope,
} from "./draft.ts";
import { findEnumChange, isRecreated, type Kept } from "./matched-schema.ts";

function formatQualifiedName(schema: string | undefined, name: string): string {
  return schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

/** Renames and moves tables, enums, constraints and columns to their names on the right. */
export function addRenames(drafting: Drafting): void {
  const { draft, matched, left, right, interim, addSteps, findSteps } = drafting;
  const now = new Map<SqlTable | SqlEnum, string>();
  const rightNames = listTakenNames(right);
  const createRenamed = (sort: "TABLE" | "TYPE", was: SqlTable | SqlEnum, is: SqlPlace | undefined): Renamed => {
    let schema = was.schema;
    now.set(was, was.text);
    return {
      scope: toSchemaScope(was.schema),
      newScope: toSchemaScope(is ? is.schema : was.schema),
      from: was.name,
      to: is?.name,
      rename: (from, to) => `ALTER ${sort} ${formatQualifiedName(schema, from)} RENAME TO ${quoteName(to)};`,
      move: (name) =>
        `ALTER ${sort} ${formatQualifiedName(schema, name)} SET SCHEMA ${quoteName(is?.schema ?? "public")};`,
      onStep: (step, name, hasMoved) => {
        if (hasMoved && is) schema = is.schema;
        now.set(was, formatQualifiedName(schema, name));
        addSteps(was, step);
        if (is) addSteps(is, step);
      },
    };
  };
  const enums = [
    ...matched.enums.kept.map((kept) =>
      findEnumChange(kept, matched) === "replaced"
        ? createRenamed("TYPE", kept.left, undefined)
        : createRenamed("TYPE", kept.left, kept.right),
    ),
    ...matched.enums.removed
      .filter(({ schema, name }) => rightNames.has(toNameMark(toSchemaScope(schema), name)))
      .map((one) => createRenamed("TYPE", one, undefined)),
  ];
  const tables = matched.tables.kept.map((kept) => createRenamed("TABLE", kept.left, kept.right));
  const constraints = listKeptConstraints(drafting).map(
    ({ table, thing, from, to, toScope }): Renamed => ({
      scope: toScope(table.left),
      newScope: toScope(table.right),
      ...{ from, to },
      rename: (old, name) =>
        `ALTER TABLE ${now.get(table.left)} RENAME CONSTRAINT ${quoteName(old)} TO ${quoteName(name)};`,
      needs: () => findSteps(table.right),
      onStep: (step) => addSteps(thing, step),
    }),
  );
  renameAll(draft, [...tables, ...enums, ...constraints], interim, listTakenNames(left));
  for (const table of matched.keptTables) {
    const scope = toColumnScope(table.left);
    const columns = table.columns.kept.map(
      ({ left: was, right: is }): Renamed => ({
        ...{ scope, newScope: scope, from: was.name, to: is.name },
        rename: (from, to) => `ALTER TABLE ${table.right.text} RENAME COLUMN ${quoteName(from)} TO ${quoteName(to)};`,
        needs: () => findSteps(table.right),
        onStep: (step) => addSteps(is, step),
      }),
    );
    renameAll(draft, columns, interim, new Set());
  }
  for (const one of [...matched.enums.removed, ...matched.enums.kept.map((kept) => kept.left)]) {
    drafting.enumNow.set(one, now.get(one) ?? one.text);
  }
}

interface NamedConstraint {
  readonly table: Kept<SqlTable>;
  readonly thing: object;
  readonly from: string;
  readonly to: string;
  /** Returns the scope of its name. */
  readonly toScope: (table: SqlTable) => string;
}

/** Returns the constraints that stay unchanged, with both names. */
function listKeptConstraints({ matched }: Drafting): readonly NamedConstraint[] {
  const inSchema = ({ schema }: SqlTable): string => toSchemaScope(schema);
  const { keptTables, foreignKeys } = matched;
  return [
    ...keptTables.flatMap((table) => [
      ...table.keys.kept.map(({ left, right }) => ({
        ...{ table, thing: right, from: left.name, to: right.name, toScope: inSchema },
      })),
      // Names of other constraints are local to their table.
      ...table.checks.kept.map(({ left, right }) => ({
        ...{ table, thing: right, from: left.name, to: right.name, toScope: () => toConstraintScope(table.left) },
      })),
    ]),
    ...foreignKeys.kept
      .filter((kept) => !isRecreated(kept, matched))
      .flatMap(({ left, right }) => {
        const table = keptTables.find((one) => one.left === left.from);
        if (!table) return [];
        const toScope = (): string => toConstraintScope(table.left);
        return [{ table, thing: right, from: left.name, to: right.name, toScope }];
      }),
  ];
}

/** An object to rename or to move. */
interface Renamed {
  /** Scopes of the old and the new name. */
  readonly scope: string;
  readonly newScope: string;
  readonly from: string;
  /** Undefined for an object that is dropped later and only releases its name. */
  readonly to: string | undefined;
  /** Formats the statement that renames it. */
  readonly rename: (from: string, to: string) => string;
  /** Formats the statement that moves it. Absent if it moves with another object. */
  readonly move?: (name: string) => string;
  /** Returns the steps that the renaming depends on. */
  readonly needs?: () => readonly Step[];
  /** Called for each step with the current name. */
  readonly onStep: (step: Step, name: string, hasMoved: boolean) => void;
}

/**
 * Renames and moves objects so that no name is taken twice. Conflicting objects get a temporary name first. `others`
 * are names that are also taken in the new scopes.
 */
function renameAll(draft: Draft, things: readonly Renamed[], interim: Interim, others: ReadonlySet<string>): void {
  const wanted = new Set(
    things.flatMap((one) =>
      one.to !== undefined && (one.to !== one.from || one.newScope !== one.scope)
        ? [toNameMark(one.newScope, one.to)]
        : [],
    ),
  );
  const steps = new Map<Renamed, Step[]>();
  const names = new Map(things.map((one) => [one, one.from]));
  const run = (one: Renamed, sql: string, name: string, marks: Pick<Step, "takes" | "frees">, hasMoved: boolean) => {
    const step = draft.add(sql, { ...marks, needs: [...(one.needs?.() ?? []), ...(steps.get(one) ?? [])] });
    steps.set(one, [...(steps.get(one) ?? []), step]);
    names.set(one, name);
    one.onStep(step, name, hasMoved);
  };
  for (const one of things) {
    const { scope, newScope, from, to } = one;
    const isLeaving = to === undefined || to !== from || newScope !== scope;
    const isInTheWay = isLeaving && (wanted.has(toNameMark(scope, from)) || to === undefined);
    const isMet = newScope !== scope && others.has(toNameMark(newScope, from));
    if (!isInTheWay && !isMet) continue;
    const aside = interim.next();
    run(one, one.rename(from, aside), aside, { takes: [], frees: [toNameMark(scope, from)] }, false);
  }
  for (const one of things) {
    const { scope, newScope, to } = one;
    if (to === undefined || scope === newScope || !one.move) continue;
    const name = names.get(one) ?? one.from;
    run(one, one.move(name), name, { takes: [toNameMark(newScope, name)], frees: [toNameMark(scope, name)] }, true);
  }
  for (const one of things) {
    const { newScope, to } = one;
    const name = names.get(one) ?? one.from;
    if (to === undefined || to === name) continue;
    run(
      one,
      one.rename(name, to),
      to,
      { takes: [toNameMark(newScope, to)], frees: [toNameMark(newScope, name)] },
      true,
    );
  }
  for (const all of steps.values()) tieSteps(...all);
}
