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
import { encodeMarks, type MarkNumbers, toNamedMark } from "./marks.ts";

/** Rows of a model at one revision. */
export interface SearchedModel {
  readonly ledgerId: string;
  readonly revision: number;
  /** Sorted by place. The first one is the model itself. */
  readonly rows: readonly SearchRow[];
}

/** Writes or removes a row. Returns the characters of the texts that it added. */
type Step = () => number;

/** Steps of work. Each yields the characters of the texts that it added to the index. */
export type IndexSteps = Generator<number, void>;

export const NO_REVISION = -1;
/** End of each text, so that its last characters begin a trigram too. */
const PADDING = SEPARATOR.repeat(2);
const WINDOW = 8;

/** The writing half of the index. */
export class IndexWriter {
  readonly #statements: IndexStatements;
  readonly #marks: MarkNumbers;

  constructor(statements: IndexStatements, marks: MarkNumbers) {
    this.#statements = statements;
    this.#marks = marks;
  }

  /** Updates a model to a revision, one row per step. Until the last step it has no revision in the index. */
  *put(entry: StoredModel | undefined, { ledgerId, revision, rows }: SearchedModel): IndexSteps {
    const [model] = rows;
    if (!model) return;
    const { key, name = null } = model;
    if (entry && entry[2] !== key) yield* this.remove(entry);
    const n = entry?.[2] === key ? entry[0] : this.#chooseModelNumber(key);
    this.#statements.putModel(n, ledgerId, key, name, NO_REVISION);
    for (const step of this.#planSteps(n, rows)) yield step();
    this.#statements.putModel(n, ledgerId, key, name, revision);
  }

  *remove(entry: StoredModel): IndexSteps {
    for (const [, position] of this.#statements.listRows(entry[0])) {
      yield this.#removeRow(entry[0], position);
    }
    this.#statements.deleteModel(entry[0]);
  }

  /** Returns the steps from the stored to the given rows of a model. After each step the rows are in order. */
  #planSteps(model: number, rows: readonly SearchRow[]): readonly Step[] {
    const old = this.#statements.listRows(model);
    const [steps, lastSteps]: [Step[], Step[]] = [[], []];
    let batch: SearchRow[] = [];
    let low = 0;
    let isFull = false;
    const placeComing = (high: number) => {
      const isNew = old.length === 0;
      const positions = isNew ? spreadNumbers(batch.length, 0, MAX_NUMBER) : choosePositions(batch.length, low, high);
      if (!positions) isFull = true;
      for (const [i, row] of batch.entries()) lastSteps.push(() => this.#insert(model, positions?.[i] ?? 0, row));
      batch = [];
      low = high;
    };
    const planRemoval = (row: StoredRow | undefined): Step => {
      return () => (row ? this.#removeRow(model, row[1]) : 0);
    };
    let at = 0;
    for (const row of rows) {
      for (; (old[at]?.[2] ?? row.place) < row.place; at++) steps.push(planRemoval(old[at]));
      const oldRow = old[at];
      if (oldRow?.[2] !== row.place) batch.push(row);
      else {
        if (batch.length > 0) placeComing(oldRow[1]);
        low = oldRow[1];
        const step = this.#planUpdate(model, oldRow, row);
        if (step) lastSteps.push(step);
        at += 1;
      }
    }
    for (; at < old.length; at++) steps.push(planRemoval(old[at]));
    if (batch.length > 0) placeComing(MAX_NUMBER + 1);
    if (!isFull) return [...steps, ...lastSteps];
    const positions = spreadNumbers(rows.length, 0, MAX_NUMBER) ?? [];
    return [...old.map(planRemoval), ...rows.map((row, i) => () => this.#insert(model, positions[i] ?? 0, row))];
  }

  #planUpdate(model: number, [, position, , text, path, facts]: StoredRow, row: SearchRow): Step | undefined {
    const [newPath, newFacts] = [encodePath(row), encodeFacts(row)];
    const isTextChanged = text !== row.text || facts !== newFacts;
    if (!isTextChanged && path === newPath) return undefined;
    return () => {
      this.#statements.putRow(model, position, row.place, row.text, newPath, newFacts);
      if (!isTextChanged) return 0;
      this.#statements.deleteText(model, position);
      return this.#writeText(model, position, row);
    };
  }

  #insert(model: number, position: number, row: SearchRow): number {
    this.#statements.putRow(model, position, row.place, row.text, encodePath(row), encodeFacts(row));
    return this.#writeText(model, position, row);
  }

  #writeText(model: number, position: number, row: SearchRow): number {
    const marks = encodeMarks(row, (name) => toNamedMark(this.#marks.getOrAdd(name)));
    this.#statements.putText(model, position, row.text + PADDING, marks);
    return row.text.length + marks.length;
  }

  #removeRow(model: number, position: number): number {
    this.#statements.deleteRow(model, position);
    this.#statements.deleteText(model, position);
    return 0;
  }

  #chooseModelNumber(key: string): number {
    const models = this.#statements.listModels();
    // Numbers are in the order of keys.
    const at = models.findIndex((one) => one[2] > key);
    const index = at === -1 ? models.length : at;
    const number = chooseNumberBetween(models[index - 1]?.[0], models[index]?.[0]);
    return number ?? this.#makeGap(models, index);
  }

  #makeGap(models: readonly StoredModel[], index: number): number {
    for (let size = WINDOW; ; size *= 2) {
      const [from, to] = [Math.max(0, index - size), Math.min(models.length, index + size)];
      const [low, high] = [models[from - 1]?.[0] ?? 0, models[to]?.[0] ?? MAX_NUMBER + 1];
      const isAll = from === 0 && to === models.length;
      const numbers = spreadNumbers(to - from + 1, low, high);
      // Leaves gaps for some more models, so that the next one need not renumber again.
      if (!numbers || (!isAll && (numbers[0] ?? 0) - low < 2 * size)) continue;
      const free = index - from;
      const moves = models.slice(from, to).map((one, i) => [one, numbers[i < free ? i : i + 1] ?? 0] as const);
      this.#moveModels(moves.filter(([[n], number]) => n !== number));
      return numbers[free] ?? 0;
    }
  }

  #moveModels(moves: readonly (readonly [StoredModel, number])[]): void {
    const contents = moves.map(([model, number]) => ({ model, number, rows: this.#statements.listRows(model[0]) }));
    for (const { model, rows } of contents) {
      for (const [, position] of rows) this.#removeRow(model[0], position);
    }
    for (const { model, number, rows } of contents) {
      const [, ...rest] = model;
      this.#statements.putModel(number, ...rest);
      for (const row of rows) this.#insert(number, row[1], decodeRow(model, row));
    }
  }
}

export const MAX_NUMBER = 2 ** 31 - 1;

const STEP = 2 ** 16;

/** Chooses a number between two others; undefined without a gap. */
export function chooseNumberBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined && after === undefined) return MAX_NUMBER >> 1;
  const [low, high] = [before ?? 0, after ?? MAX_NUMBER + 1];
  const half = Math.floor((high - low) / 2);
  if (half < 1) return undefined;
  if (after === undefined) return low + Math.min(STEP, half);
  if (before === undefined) return high - Math.min(STEP, half);
  return low + half;
}

/** Spreads numbers evenly between two others; undefined without a gap. */
export function spreadNumbers(count: number, low: number, high: number): readonly number[] | undefined {
  const step = Math.floor((high - low) / (count + 1));
  if (step < 1) return undefined;
  return Array.from({ length: count }, (_, i) => low + (i + 1) * step);
}

/** Chooses positions between two others. Most of the gap stays free for later rows. */
function choosePositions(count: number, low: number, high: number): readonly number[] | undefined {
  return spreadNumbers(count, low, low + Math.ceil((high - low) / 64)) ?? spreadNumbers(count, low, high);
}
