import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import type { StagingOrder, StagingReport } from "./staging-process.ts";

/** A table in a folder of its own, and the time of the processes that work on it. */
export interface Place {
  readonly folder: string;
  readonly began: number;
  /** The factor by which the time of the processes goes faster than the machine's. */
  readonly scale: number;
}

/** The objects that a package of twenty tables has beside its fields: the model, the tables, and fifteen types. */
export const BESIDE = 36;
/** Fields of twenty tables that make a model of about so many objects, and no more. */
export const fieldsOf = (objects: number): number => objects - BESIDE - ((objects - BESIDE) % 20);
/** Fields of the largest model that one job writes. */
export const LARGE = fieldsOf(LIMITS.objectsPerJob);

export const newPlace = (scale: number): Place => ({ folder: createFolder(), began: Date.now(), scale });

/** Reads the table of a data folder that no process uses. */
export async function withTable<T>({ folder }: Place, read: (table: Table) => Promise<T>): Promise<T> {
  const opened = openSqliteTable({ file: join(folder, "table.db") }, Date.now);
  try {
    return await read(opened.connect(Number.POSITIVE_INFINITY));
  } finally {
    opened.close();
  }
}

const HEAP_MB = 320;

/** Runs a process to its end, or kills it after some milliseconds of the machine; what it told, if anything. */
export async function run(
  place: Place,
  task: StagingOrder["task"],
  killAfter?: number,
): Promise<StagingReport | undefined> {
  const order: StagingOrder = { ...place, task };
  const script = join(import.meta.dirname, "staging-process.ts");
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, script, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  clearTimeout(timer);
  return said.trim() === "" ? undefined : (JSON.parse(said) as StagingReport);
}

/** Runs a process on a place that has to come to its end, and answers its report. */
export async function called(place: Place, task: StagingOrder["task"]): Promise<StagingReport> {
  const report = await run(place, task);
  if (!report) throw new Error("the process ended without a word");
  return report;
}
