import { label } from "./history.ts";
import type { Network, Sender } from "./network.ts";
import type { Ran } from "./schedule.ts";

/** Takes down what happens in a schedule, for people: each request with its sender and its moment. */
export interface Trace {
  readonly note: Network["note"];
  /** The requests and answers of a schedule, one line each. */
  lines(ran: Ran): readonly string[];
}

export function createTrace(now: () => number): Trace {
  const lines: string[] = [];
  let began: number | undefined;
  return {
    note: (sender, told) => {
      began ??= now();
      lines.push(`${(now() - began).toFixed(0).padStart(7)} ms  ${nameOf(sender).padEnd(22)} ${told()}`);
    },
    lines: (ran) => {
      const answers = ran.ops
        .toSorted((a, b) => a.end - b.end)
        .map((op) => {
          const { outcome } = op;
          const said =
            "problem" in outcome
              ? `${outcome.problem.code}: ${outcome.problem.message}`
              : `${outcome.answer.replayed ? "replayed " : ""}${outcome.answer.etag ?? ""} ${JSON.stringify(outcome.answer.body ?? null).slice(0, 300)}`;
          return `${label(op)} -> ${said}`;
        });
      return [...lines, "", "answers, in the order in which they came [begin-end]:", ...answers].map(shortened());
    },
  };
}

function nameOf({ number, process }: Sender): string {
  const where = `process ${process.number}`;
  if (number >= 2_000_000) return `sweeper ${number - 2_000_000}, ${where}`;
  if (number >= 1_000_000) return `worker ${number - 1_000_000}, ${where}`;
  const [client, call, attempt] = [Math.floor(number / 1_000) - 1, Math.floor((number % 1_000) / 10), number % 10];
  return `call ${client}.${call}.${attempt}, ${where}`;
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g;

/** Ids as small numbers, the same for the same one. */
function shortened(): (line: string) => string {
  const names = new Map<string, string>();
  return (line) =>
    line.replace(UUIDS, (id) => {
      const name = names.get(id) ?? `#${names.size + 1}`;
      names.set(id, name);
      return name;
    });
}
