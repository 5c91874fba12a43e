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

/** Rows of a model at one revision. */
export interface SearchedModel {
  readonly ledgerId: string;
  readonly revision: number;
  /** Sorted by place. The first one is the model itself. */
  readonly rows: readonly SearchRow[];
}

/** A change of one row. */
type Step = () => void;

/** Revision of a model that is written in part. */
export const NO_REVISION = -1;
/** End of each text, so that its last characters begin a trigram too. */
const PADDING = SEPARATOR.repeat(2);
/** Minimum of models that are renumbered together. */
const WINDOW = 8;

/** Creates the writing half of the index. */
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

  /**
   * Returns the steps that turn the stored rows of a model into the given ones. After each step the rows are in order.
   */
  const stepsTo = (model: number, rows: readonly SearchRow[]): readonly Step[] => {
    const old = statements.rowsOf(model);
    const [steps, late]: [Step[], Step[]] = [[], []];
    /** New rows between two rows that stay. */
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

  /** Returns a number for a model between its neighbours. Renumbers them if there is no gap. */
  const numberFor = (key: string): number => {
    const models = statements.models();
    // Numbers are in the order of keys.
    const behind = models.findIndex((one) => one[2] > key);
    const index = behind === -1 ? models.length : behind;
    const number = chooseNumberBetween(models[index - 1]?.[0], models[index]?.[0]);
    return number ?? makeRoom(models, index);
  };

  /** Spreads the models around an index and returns the free number there. */
  const makeRoom = (models: readonly StoredModel[], index: number): number => {
    for (let size = WINDOW; ; size *= 2) {
      const [from, to] = [Math.max(0, index - size), Math.min(models.length, index + size)];
      const [low, high] = [models[from - 1]?.[0] ?? 0, models[to]?.[0] ?? MAX_NUMBER + 1];
      const isAll = from === 0 && to === models.length;
      const numbers = spreadNumbers(to - from + 1, low, high);
      // Leaves gaps for some more models, so that the next one need not renumber again.
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

  /** Removes a model, one row per step. */
  function* remove(known: StoredModel): Generator<void> {
    for (const [, position] of statements.rowsOf(known[0])) {
      removeRow(known[0], position);
      yield;
    }
    statements.deleteModel(known[0]);
  }

  return {
    remove,
    /** Updates a model to a revision, one row per step. Until the last step it has no revision in the index. */
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

/** Highest number of a model, and highest position of a row. */
export const MAX_NUMBER = 2 ** 31 - 1;

/** Largest distance of consecutive numbers at the end. */
const STEP = 2 ** 16;

/** Chooses a number between two others; an absent one means the end. Returns undefined if there is no gap. */
export function chooseNumberBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined && after === undefined) return MAX_NUMBER >> 1;
  const [low, high] = [before ?? 0, after ?? MAX_NUMBER + 1];
  const half = Math.floor((high - low) / 2);
  if (half < 1) return undefined;
  if (after === undefined) return low + Math.min(STEP, half);
  if (before === undefined) return high - Math.min(STEP, half);
  return low + half;
}

/** Spreads numbers evenly between two others, both excluded. Returns undefined if the gap is too small. */
export function spreadNumbers(count: number, low: number, high: number): readonly number[] | undefined {
  const step = Math.floor((high - low) / (count + 1));
  if (step < 1) return undefined;
  return Array.from({ length: count }, (_, i) => low + (i + 1) * step);
}

/**
 * Chooses positions for rows between two others. Most of the gap stays behind them, because later rows mostly belong
 * there.
 */
function choosePositions(count: number, low: number, high: number): readonly number[] | undefined {
  return spreadNumbers(count, low, low + Math.ceil((high - low) / 64)) ?? spreadNumbers(count, low, high);
}
