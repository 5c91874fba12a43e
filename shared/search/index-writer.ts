import type { SearchRow } from "../domain/search/rows.ts";
import { SEPARATOR } from "../domain/text/characters.ts";
import {
  decodeRow,
  encodeFacts,
  encodePath,
  type IndexStatements,
  type StoredModel,
  type StoredRow,
} from "./index-statements.ts";
import { type MarkNumbers, toMarks, toNamedMark } from "./marks.ts";

/** The rows of a model at one revision. */
export interface SearchedModel {
  readonly ledgerId: string;
  readonly revision: number;
  /** Sorted by place; the first one is the model's. */
  readonly rows: readonly SearchRow[];
}

/** A change of one row. */
type Step = () => void;

/** The revision of a model some of whose rows are written. */
export const NO_REVISION = -1;
/** Ends each text, so that its last characters begin a trigram as well. */
const PADDING = SEPARATOR.repeat(2);
/** Fewest models that are given new numbers together. */
const WINDOW = 8;

/** The half of the index that writes. */
export function createIndexWriter(statements: IndexStatements, marks: MarkNumbers) {
  const writeText = (model: number, position: number, row: SearchRow): void =>
    statements.putText(
      model,
      position,
      row.text + PADDING,
      toMarks(row, (name) => toNamedMark(marks.getOrAdd(name))),
    );
  const insert = (model: number, position: number, row: SearchRow): void => {
    statements.putRow(model, position, row.place, row.text, encodePath(row), encodeFacts(row));
    writeText(model, position, row);
  };
  const removeRow = (model: number, position: number): void => {
    statements.deleteRow(model, position);
    statements.deleteText(model, position);
  };
  const update = (model: number, [, position, , text, path, facts]: StoredRow, row: SearchRow): Step | undefined => {
    const [newPath, newFacts] = [encodePath(row), encodeFacts(row)];
    const found = text !== row.text || facts !== newFacts;
    if (!found && path === newPath) return undefined;
    return () => {
      statements.putRow(model, position, row.place, row.text, newPath, newFacts);
      if (!found) return;
      statements.deleteText(model, position);
      writeText(model, position, row);
    };
  };

  /** The steps that make the rows of a model out of those it has, each of which leaves them in order. */
  const stepsTo = (model: number, rows: readonly SearchRow[]): readonly Step[] => {
    const old = statements.rowsOf(model);
    const [steps, late]: [Step[], Step[]] = [[], []];
    /** New rows that lie between two that stay. */
    let coming: SearchRow[] = [];
    let low = 0;
    let isFull = false;
    const settle = (high: number): void => {
      const positions =
        old.length === 0 ? spreadNumbers(coming.length, 0, MAX_NUMBER) : choosePositions(coming.length, low, high);
      if (!positions) isFull = true;
      coming.forEach((row, i) => {
        const position = positions?.[i] ?? 0;
        late.push(() => insert(model, position, row));
      });
      coming = [];
      low = high;
    };
    let at = 0;
    for (const row of rows) {
      for (; (old[at]?.[2] ?? row.place) < row.place; at++) steps.push(removal(old[at]));
      const same = old[at];
      if (same?.[2] !== row.place) coming.push(row);
      else {
        if (coming.length > 0) settle(same[1]);
        low = same[1];
        const step = update(model, same, row);
        if (step) late.push(step);
        at += 1;
      }
    }
    for (; at < old.length; at++) steps.push(removal(old[at]));
    if (coming.length > 0) settle(MAX_NUMBER + 1);
    if (!isFull) return [...steps, ...late];
    const anew = spreadNumbers(rows.length, 0, MAX_NUMBER) ?? [];
    return [...old.map(removal), ...rows.map((row, i) => () => insert(model, anew[i] ?? 0, row))];

    function removal(row: StoredRow | undefined): Step {
      return () => row && removeRow(model, row[1]);
    }
  };

  /** The number of a model that comes between others, which are moved apart where there is no room. */
  const numberFor = (key: string): number => {
    const models = statements.models();
    // Numbers are in the order of keys.
    const behind = models.findIndex((one) => one[2] > key);
    const index = behind === -1 ? models.length : behind;
    const number = chooseNumberBetween(models[index - 1]?.[0], models[index]?.[0]);
    return number ?? makeRoom(models, index);
  };

  /** Spreads the models around an index and answers the number that has become free there. */
  const makeRoom = (models: readonly StoredModel[], index: number): number => {
    for (let size = WINDOW; ; size *= 2) {
      const [from, to] = [Math.max(0, index - size), Math.min(models.length, index + size)];
      const [low, high] = [models[from - 1]?.[0] ?? 0, models[to]?.[0] ?? MAX_NUMBER + 1];
      const isAll = from === 0 && to === models.length;
      const numbers = spreadNumbers(to - from + 1, low, high);
      // Room for a few more, or the next one would move them again.
      if (!numbers || (!isAll && (numbers[0] ?? 0) - low < 2 * size)) continue;
      const free = index - from;
      const moved = models.slice(from, to).map((one, i) => [one, numbers[i < free ? i : i + 1] ?? 0] as const);
      moveModels(moved.filter(([[n], number]) => n !== number));
      return numbers[free] ?? 0;
    }
  };

  const moveModels = (moves: readonly (readonly [StoredModel, number])[]): void => {
    const held = moves.map(([model, number]) => ({ model, number, rows: statements.rowsOf(model[0]) }));
    for (const { model, rows } of held) {
      for (const [, position] of rows) removeRow(model[0], position);
      statements.deleteModel(model[0]);
    }
    for (const { model, number, rows } of held) {
      const [, ...rest] = model;
      statements.putModel(number, ...rest);
      for (const row of rows) insert(number, row[1], decodeRow(model, row));
    }
  };

  /** Removes a model, a row with each step. */
  function* remove(known: StoredModel): Generator<void> {
    for (const [, position] of statements.rowsOf(known[0])) {
      removeRow(known[0], position);
      yield;
    }
    statements.deleteModel(known[0]);
  }

  return {
    remove,
    /** Brings a model to a revision, a row with each step; until the last one the index knows it at none. */
    *put(known: StoredModel | undefined, { ledgerId, revision, rows }: SearchedModel): Generator<void> {
      const [model] = rows;
      if (!model) return;
      const { key, name = null } = model;
      if (known && known[2] !== key) yield* remove(known);
      const n = known?.[2] === key ? known[0] : numberFor(key);
      statements.putModel(n, ledgerId, key, name, NO_REVISION);
      for (const step of stepsTo(n, rows)) {
        step();
        yield;
      }
      statements.putModel(n, ledgerId, key, name, revision);
    },
  };
}

/** Greatest number of a model, and greatest position of a row in its model. */
export const MAX_NUMBER = 2 ** 31 - 1;

/** Greatest distance of two numbers that are given out one after the other, where nothing follows. */
const STEP = 2 ** 16;

/** A number between two others, which stand for the ends where there is none; undefined where none is free. */
export function chooseNumberBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined && after === undefined) return MAX_NUMBER >> 1;
  const [low, high] = [before ?? 0, after ?? MAX_NUMBER + 1];
  const half = Math.floor((high - low) / 2);
  if (half < 1) return undefined;
  if (after === undefined) return low + Math.min(STEP, half);
  if (before === undefined) return high - Math.min(STEP, half);
  return low + half;
}

/** So many numbers between two others, both excluded, as far apart as there is room; undefined where there is none. */
export function spreadNumbers(count: number, low: number, high: number): readonly number[] | undefined {
  const step = Math.floor((high - low) / (count + 1));
  if (step < 1) return undefined;
  return Array.from({ length: count }, (_, i) => low + (i + 1) * step);
}

/**
 * Positions for rows that come between two others. They leave most of the room behind them, because what is made later
 * mostly belongs there.
 */
function choosePositions(count: number, low: number, high: number): readonly number[] | undefined {
  return spreadNumbers(count, low, low + Math.ceil((high - low) / 64)) ?? spreadNumbers(count, low, high);
}
