import * as z from "zod/mini";
import { omitUndefined } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef } from "../../domain/refs.ts";
import { flag, link, markdown, runRef, singleLine } from "../../domain/values/value-types.ts";
import { createJsonOutput, createNamedSchema, describeInteger, describeText } from "../building/answers.ts";
import { createIdSchema, createOwnIdSchema } from "../building/ids.ts";
import { createListOutput, findOrUndefined, pagingParams, toPage, toReading } from "../building/reads.ts";
import { type Action, mayRun, type Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { Run, RunCommit } from "../contract/runs.ts";
import { IDENTITY_LEDGER, type ReadView, selectRows, TAGS_LEDGER } from "../contract/view.ts";

const createRunMembers = () => ({
  id: createOwnIdSchema("Id of the run, for the header `Run: id:<id>`."),
  title: z.string(),
  purpose: z.optional(z.string()),
  evidence: z.optional(z.string()),
  actor: createIdSchema("actor", "Id of the actor that began it."),
  apiToken: z.optional(createIdSchema("api_token", "Id of the API token that began it.")),
  begun: describeText("ISO 8601."),
});

function toRunRow({ id, title, purpose, evidence, actor, apiToken, time }: Run) {
  return omitUndefined({ id, title, purpose, evidence, actor, apiToken, begun: time });
}

const runBegin = defineAction({
  group: "model",
  name: "run_begin",
  title: "Begin run",
  description:
    "Begins a run: one task of a person, script or agent, whose commits belong together. " +
    "Send `Run: id:<id>` with each write of the task. The history shows the run of each commit. Only its own actor can use a run.",
  intent: "other",
  safe: false,
  rule: "signed_in",
  input: {
    title: requireParam(singleLine, "The task in a few words."),
    purpose: allowParam(markdown, "The reason for the task."),
    evidence: allowParam(link, "The URL of a reason, such as a ticket."),
  },
  output: createJsonOutput("The run.", () => createNamedSchema("Run", createRunMembers())),
  errors: [],
  example: { title: "Add the fields of the new order form" },
  run: async ({ input, call, ports }) => {
    const { title, purpose, evidence } = input;
    const { actorId: actor = "", apiToken } = call.principal ?? {};
    const run = omitUndefined({ id: call.nextId(), title, purpose, evidence, actor, apiToken, time: call.time });
    await ports.runs.begin(run);
    return { body: toRunRow(run) };
  },
});

/** Tests whether a caller may see a run: its own, or as an administrator. A token for some models sees its own only. */
function canRead({ actor, apiToken }: Run, { principal }: Call): boolean {
  if (!principal) return false;
  if (mayRun({ rule: "admin" }, principal)) return true;
  return actor === principal.actorId && (!principal.within || apiToken === principal.apiToken);
}

const runList = defineAction({
  group: "model",
  name: "run_list",
  title: "List runs",
  description: "Lists the runs of the caller, newest first. An administrator sees the runs of all actors.",
  intent: "read",
  rule: "signed_in",
  input: pagingParams,
  output: createListOutput("The runs.", () => createNamedSchema("Run", createRunMembers())),
  errors: [],
  example: {},
  run: async ({ input, call, ports }) => {
    const rows = await selectRows(
      ports.runs.list,
      toPage(input),
      (run) => canRead(run, call),
      ({ id }) => id,
    );
    return toReading(rows, (items) => ({ items: items.map(toRunRow) }));
  },
});

const runGet = defineAction({
  group: "model",
  name: "run_get",
  title: "Get run",
  description:
    "Reads a run with its commits in all models that the caller may read, sorted by model and revision. " +
    "An administrator sees the runs of all actors, and their commits to deleted models and to accounts too. " +
    "With `standing` each commit to a model tells how many of its changes still stand.",
  intent: "read",
  rule: "signed_in",
  input: {
    runRef: requireParam(runRef, "The run, as `run_begin` answered it."),
    standing: allowParam(flag, "True to count the changes that still stand; this reads each of the models as a whole."),
    ...pagingParams,
  },
  output: {
    ...createJsonOutput("The run.", () =>
      createNamedSchema("RunWithCommits", {
        ...createRunMembers(),
        items: z.array(
          createNamedSchema("RunCommit", {
            ledger: z.enum(["model", "tags", "identity"]),
            modelId: z.optional(createIdSchema("model", "Id of the model.")),
            modelKey: z.optional(describeText("Its present key.")),
            revision: z.int(),
            time: describeText("ISO 8601."),
            requestId: describeText("Id of the request."),
            actions: z.array(z.string()),
            changes: z.optional(
              describeInteger("With `standing`: the number of objects that it created, changed or deleted."),
            ),
            standing: z.optional(
              describeInteger("With `standing`: the number of those which still have everything that it gave them."),
            ),
          }),
        ),
      }),
    ),
    // The schema guarantees this type.
    rows: (body) => (body as { readonly items: readonly unknown[] }).items,
  },
  errors: ["not_found"],
  example: { runRef: "id:01890a5d-ac96-774b-bcce-b302099a8057" },
  run: async ({ input, call, ports }) => {
    const run = await ports.runs.get(input.runRef.value);
    if (!run || !canRead(run, call)) throw new Problem("not_found", `no run ${printRef(input.runRef)}`);
    const { items, next } = await ports.runs.listCommits(run.id, toPage(input));
    const wanted = { run: run.id, commits: items, withStanding: input.standing === true };
    const rows = await readCommits(wanted, call, ports);
    return toReading({ items: rows, ...(next !== undefined && { next }) }, (all) => ({ ...toRunRow(run), items: all }));
  },
});

interface WantedCommits {
  readonly run: string;
  readonly commits: readonly RunCommit[];
  readonly withStanding: boolean;
}

/** Reads the commits that the caller may see. Only the log entry of a commit decides whether it belongs to the run. */
async function readCommits({ run, commits, withStanding }: WantedCommits, call: Call, ports: Ports): Promise<object[]> {
  const past = await ports.store.openPast();
  const rows: object[] = [];
  for (const [ledgerId, all] of Map.groupBy(commits, (commit) => commit.ledgerId)) {
    const view = await openReadable(ledgerId, call, ports);
    if (!view) continue;
    const ledger = describeLedger(view);
    const revisions = all.map(({ revision }) => revision);
    const facts = await past.readCommitFacts(view, revisions);
    const standings = withStanding && ledger.ledger === "model" ? await past.readStanding(view, revisions) : new Map();
    for (const revision of revisions) {
      const commit = facts.get(revision);
      if (commit?.run !== run) continue;
      const { time, requestId, actions } = commit;
      rows.push({ ...ledger, revision, time, requestId, actions, ...standings.get(revision) });
    }
  }
  return rows;
}

/** Opens a ledger whose commits the caller may see; undefined for any other one. */
async function openReadable(ledgerId: string, { principal }: Call, { store }: Ports): Promise<ReadView | undefined> {
  const isAdmin = mayRun({ rule: "admin" }, principal);
  if (ledgerId === TAGS_LEDGER) return store.openTags();
  if (ledgerId === IDENTITY_LEDGER) return isAdmin ? store.openIdentity() : undefined;
  const ref = { scheme: "id", value: ledgerId } as const;
  if (!mayRun({ rule: "model_read" }, principal)) return undefined;
  return findOrUndefined(store.open(ref, undefined, { findsDeleted: isAdmin }));
}

function describeLedger({ ledgerId, modelKey }: ReadView) {
  if (ledgerId === TAGS_LEDGER || ledgerId === IDENTITY_LEDGER) return { ledger: ledgerId };
  return { ledger: "model", modelId: ledgerId, modelKey };
}

export const runActions = [runBegin, runList, runGet] as const satisfies readonly Action[];
