import type { RecordedCall, Runtime } from "../../actions/contract/call.ts";
import type { Run, RunCommit, Runs } from "../../actions/contract/runs.ts";
import type { Page } from "../../actions/contract/view.ts";
import { includeMember } from "../../domain/model/content.ts";
import { parseRunCommitKey, RUNS, runCommitKey, runKey, runPartition } from "../table/keys.ts";
import { createNoAnswerProblem, createRetryingTable, createRetryPolicy, type RetryPolicy } from "../table/retry.ts";
import { FORMAT, type Item, OutcomeUnknown, type Range, type Table, type Write } from "../table/table.ts";

/** Creates the write that lists a commit under the run of its call; none for a call without a run. */
export function createRunWrites(
  { run }: Pick<RecordedCall, "run">,
  ledgerId: string,
  revision: number,
): readonly Write[] {
  if (run === undefined) return [];
  return [{ put: toRunCommitItem(run, { ledgerId, revision }), expect: { absent: true } }];
}

/** Returns the item that lists a commit under its run. The log entry has everything else. */
export function toRunCommitItem(run: string, { ledgerId, revision }: RunCommit): Item {
  return { ...runCommitKey(run, ledgerId, revision), v: FORMAT };
}

/** Creates the store of runs. */
export function createRunStore(
  plainTable: Table,
  runtime: Runtime,
  retryPolicy: RetryPolicy = createRetryPolicy(runtime),
): Runs {
  const table = createRetryingTable(plainTable, retryPolicy);
  return {
    begin: async ({ id, ...run }) => {
      try {
        await table.write({ put: { ...runKey(id), v: FORMAT, ...run }, expect: { absent: true } });
      } catch (error) {
        if (error instanceof OutcomeUnknown) throw createNoAnswerProblem();
        throw error;
      }
    },
    get: async (id) => {
      const item = await table.get(runKey(id));
      return item && toRun(item);
    },
    list: async (page) => {
      const { items, next } = await readPage(table, { pk: RUNS, descending: true }, page);
      return { items: items.map(toRun), ...includeMember("next", next) };
    },
    listCommits: async (id, page) => {
      const { items, next } = await readPage(table, { pk: runPartition(id) }, page);
      return { items: items.map(parseRunCommitKey), ...includeMember("next", next) };
    },
  };
}

/** Reads the items of a page, and the sort key before the next page. */
async function readPage(table: Table, range: Range, { after, limit = Number.POSITIVE_INFINITY }: Page) {
  const items: Item[] = [];
  let position = after;
  do {
    const query = { ...range, ...(Number.isFinite(limit) && { limit: limit - items.length + 1 }) };
    const page = await table.query({ ...query, ...includeMember("after", position) });
    items.push(...page.items);
    position = page.more;
  } while (position !== undefined && items.length <= limit);
  const rows = items.slice(0, limit);
  return { items: rows, next: items.length > rows.length ? rows.at(-1)?.sk : undefined };
}

function toRun(item: Item): Run {
  // Written by `begin`.
  const { pk: _pk, sk: id, v: _v, ...run } = item as unknown as Item & Omit<Run, "id">;
  return { id, ...run };
}
