import { label } from "./history.ts";
import type { Sender } from "./network.ts";
import type { Ran } from "./schedule.ts";

/** Creates a record of a schedule for people: each request with its sender and its time. */
export function createTrace(now: () => number) {
  const lines: string[] = [];
  let began: number | undefined;
  return {
    note: (sender: Sender, describe: () => string) => {
      began ??= now();
      lines.push(`${(now() - began).toFixed(0).padStart(7)} ms  ${nameOf(sender).padEnd(22)} ${describe()}`);
    },
    /** The requests and answers of a schedule, one line each. */
    lines: (ran: Ran): readonly string[] => {
      const answers = ran.ops.toSorted((a, b) => a.end - b.end).map((op) => `${label(op)} -> ${formatOutcome(op)}`);
      return [...lines, "", "answers, in the order in which they came [begin-end]:", ...answers].map(shortened());
    },
  };
}

function formatOutcome({ outcome }: Ran["ops"][number]): string {
  if ("problem" in outcome) return `${outcome.problem.code}: ${outcome.problem.message}`;
  const { replayed, etag = "", body = null } = outcome.answer;
  return `${replayed ? "replayed " : ""}${etag} ${JSON.stringify(body).slice(0, 300)}`;
}

function nameOf({ number, process }: Sender): string {
  const where = `process ${process.number}`;
  if (number >= 2_000_000) return `sweeper ${number - 2_000_000}, ${where}`;
  if (number >= 1_000_000) return `worker ${number - 1_000_000}, ${where}`;
  const [client, call, attempt] = [Math.floor(number / 1_000) - 1, Math.floor((number % 1_000) / 10), number % 10];
  return `call ${client}.${call}.${attempt}, ${where}`;
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g;

function shortened(): (line: string) => string {
  const names = new Map<string, string>();
  return (line) =>
    line.replace(UUIDS, (id) => {
      const name = names.get(id) ?? `#${names.size + 1}`;
      names.set(id, name);
      return name;
    });
}
