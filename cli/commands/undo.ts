import type { Actions } from "../../client/create-client.ts";
import { listRows, type OwnCalls, readCalls, toReads } from "../calls/own-calls.ts";
import { toRef } from "../input/values.ts";
import { chooseFormat, print } from "../output/output.ts";
import { applyQuery } from "../output/query.ts";
import { EXIT, Failure, findExitCode, formatErrorLines } from "../terminal/failure.ts";
import { ask, canAsk, type Terminal } from "../terminal/terminal.ts";
import { countSteps } from "./plan-steps.ts";

type Undo = Actions["model"]["model_undo"]["output"];
type Commit = Actions["model"]["run_get"]["output"]["items"][number];

interface Plan {
  readonly key: string;
  readonly payload: object;
  readonly answer: Undo;
}

/** Runs `metaction undo <run> [model…]`: takes back a run in each of its models, after showing what would change. */
export async function undo(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "undo", args);
  const [run = "", ...models] = calls.words;
  const runRef = run.startsWith("id:") ? run : `id:${run}`;
  const modelRefs = models.length > 0 ? models.map(toRef) : await listModels(calls, runRef);
  const plans: Plan[] = [];
  for (const modelRef of modelRefs) {
    const onConflict = calls.text("on-conflict");
    const payload = { modelRef, runRef, ...(onConflict !== undefined && { onConflict }) };
    const answer = await calls.call("model_undo", payload, { ...calls.common, "dry-run": true });
    if (answer) plans.push({ key: (answer.body as Undo).key, payload, answer: answer.body as Undo });
  }
  // `--curl` printed the calls.
  if (plans.length === 0) return EXIT.done;
  for (const plan of plans) describePlan(terminal, calls, plan);
  if (!calls.common["dry-run"]) await confirmPlans(terminal, calls, plans);
  const rows: object[] = [];
  let exit: number = EXIT.done;
  for (const { key, payload, answer } of plans) {
    try {
      const done = calls.common["dry-run"]
        ? answer
        : ((await calls.call("model_undo", { ...payload, plan: answer.plan }))?.body as Undo);
      const { revision, changed, stepCount, conflictCount } = done;
      rows.push({ model: key, revision, changed, steps: stepCount, conflicts: conflictCount });
    } catch (error) {
      for (const line of formatErrorLines(error)) terminal.stderr.writeLine(`${key}: ${line}`);
      exit ||= findExitCode(error);
    }
  }
  const format = chooseFormat(calls.settings.output, terminal);
  await print(await applyQuery({ items: rows }, calls.common), format, calls.common, terminal);
  return exit;
}

/** Returns the refs of the models in which a run has commits. */
async function listModels(calls: OwnCalls, runRef: string): Promise<readonly string[]> {
  const commits = ((await listRows(toReads(calls), "run_get", { runRef })) ?? []) as readonly Commit[];
  const ids = [...new Set(commits.flatMap(({ modelId }) => modelId ?? []))];
  if (ids.length > 0) return ids.map((id) => `id:${id}`);
  throw new Failure("The run has no commit in a model that you may read; nothing was undone", EXIT.notFound);
}

function describePlan({ stderr }: Terminal, { common }: OwnCalls, { key, answer }: Plan): void {
  if (common.quiet) return;
  const { conflicts, conflictCount } = answer;
  const count = conflictCount === 0 ? "" : `; ${conflictCount} ${conflictCount === 1 ? "conflict" : "conflicts"}`;
  stderr.writeLine(`${key}: ${countSteps(answer)}${count}`);
  for (const { kind, key: object, member, reason } of conflicts) {
    stderr.writeLine(`  ${kind} ${object}${member === undefined ? "" : `, ${member}`}: ${reason}`);
  }
}

/** Asks to confirm. Throws a failure with exit code 9 for breaking steps where nobody can be asked. */
async function confirmPlans(terminal: Terminal, calls: OwnCalls, plans: readonly Plan[]): Promise<void> {
  if (calls.common.yes) return;
  const keys = plans.map(({ key }) => key).join(", ");
  if (canAsk(terminal)) {
    const question = `Undo the run in ${keys} on ${calls.settings.url.value}. Continue? [y/N] `;
    if (/^y(es)?$/i.test(await ask(terminal, question))) return;
    throw new Failure("nothing was undone", EXIT.interrupted);
  }
  if (plans.every(({ answer }) => answer.breaking === 0) || calls.on("allow-breaking")) return;
  const reason =
    "the undo has breaking steps, and nothing was undone. Without a terminal, add --allow-breaking or --yes";
  throw new Failure(`${keys}: ${reason}`, EXIT.unconfirmed);
}
