import type { Table } from "../shared/store/table/table.ts";
import { startBenchService } from "./bench-service.ts";
import { median } from "./median.ts";

const ROUNDS = 15;
const CALLS = 2_000;
const LIBRARY = { modelRef: "key:library" };

/**
 * Measures the processor time of one warm `model_get`, from `dispatch` to the answer: token, rights, parameters and model
 * cache. The table is a stub that repeats its answers, so that no database is measured.
 */
export async function benchCall(): Promise<void> {
  const stub = createStub();
  const bench = await startBenchService({ wrapTable: stub.wrap });
  try {
    await bench.run("model/model_create", { key: "library", name: "Library" });
    await bench.run("model/model_get", LIBRARY);
    stub.repeatAnswers();
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = process.cpuUsage();
      for (let call = 0; call < CALLS; call += 1) await bench.run("model/model_get", LIBRARY);
      const { user, system } = process.cpuUsage(began);
      rounds.push((user + system) / CALLS);
    }
    // The first rounds compile.
    const measured = rounds.slice(5);
    const microseconds = Math.round(median(measured) * 10) / 10;
    const least = Math.round(Math.min(...measured) * 10) / 10;
    console.table([{ action: "model/model_get", microseconds, least }]);
    console.log(JSON.stringify({ bench: "call", action: "model/model_get", microseconds, least }));
  } finally {
    stub.passOn();
    await bench.stop();
  }
}

interface Stub {
  readonly wrap: (table: Table) => Table;
  /** From now on each read gives the answer of the first equal read. */
  readonly repeatAnswers: () => void;
  readonly passOn: () => void;
}

function createStub(): Stub {
  let answers: Map<string, Promise<unknown>> | undefined;
  const repeat =
    <A extends readonly unknown[], T>(read: (...input: A) => Promise<T>) =>
    (...input: A): Promise<T> => {
      if (!answers) return read(...input);
      const [what] = input;
      const key = JSON.stringify(what);
      // Equal reads of one method have answers of one type.
      const answer = (answers.get(key) as Promise<T> | undefined) ?? read(...input);
      answers.set(key, answer);
      return answer;
    };
  return {
    wrap: (table) => ({
      ...table,
      get: repeat(table.get),
      batchGet: repeat(table.batchGet),
      query: repeat(table.query),
      transactGet: repeat(table.transactGet),
    }),
    repeatAnswers: () => {
      answers = new Map();
    },
    passOn: () => {
      answers = undefined;
    },
  };
}
