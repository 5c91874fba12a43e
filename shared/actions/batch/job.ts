import * as z from "zod/mini";
import type { Principal } from "../../domain/accounts/principal.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { jobRef } from "../../domain/values/value-types.ts";
import { createJsonOutput, createNamedSchema, describe, describeText } from "../building/answers.ts";
import { createIdSchema, createOwnIdSchema } from "../building/ids.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { type Action, authorize } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import type { Job } from "../contract/jobs.ts";
import { requireParam } from "../contract/params.ts";

const createJobSchema = () =>
  createNamedSchema("Job", {
    id: createOwnIdSchema("Id of the job."),
    action: z.string(),
    actor: createIdSchema("actor", "Id of the actor that started it."),
    apiToken: z.optional(createIdSchema("api_token", "Id of the API token that started it.")),
    state: z.enum(["accepted", "running", "done", "failed", "cancelled"]),
    accepted: describeText("ISO 8601."),
    ended: z.optional(z.string()),
    progress: describe(
      createNamedSchema("JobProgress", { done: z.int(), total: z.int() }),
      "The number of objects written so far, and in total.",
    ),
    result: z.optional(z.unknown().check(z.describe("The answer of the action, once the job is done."))),
    problem: z.optional(createNamedSchema("JobProblem", { code: z.string(), detail: z.string() })),
  });

function toJobRow({ id, action, actor, apiToken, state, accepted, ended, result, ...job }: Job) {
  const progress = { done: job.progress.done, total: job.progress.total };
  const problem = job.problem && { code: job.problem.code, detail: job.problem.detail };
  return omitUndefined({ id, action, actor, apiToken, state, accepted, ended, progress, result, problem });
}

/** A token for some models reads only its own jobs: others may be about any model. */
function canReadJob({ actor, apiToken }: Pick<Job, "actor" | "apiToken">, principal: Principal | undefined) {
  if (!principal) return false;
  if (principal.permissions.has("admin")) return true;
  return actor === principal.actorId && (!principal.within || apiToken === principal.apiToken);
}

function requireJob(job: Job | undefined, ref: Ref, principal: Principal | undefined): Job {
  if (job && canReadJob(job, principal)) return job;
  throw new Problem("not_found", `no job ${printRef(ref)}`);
}

const jobGet = defineAction({
  group: "batch",
  name: "job_get",
  title: "Get job",
  description: "Reads the state of a job: a write that was too large for one call and was accepted with 202.",
  intent: "read",
  rule: "signed_in",
  input: { jobRef: requireParam(jobRef, "The job, as named in the 202 answer.") },
  output: createJsonOutput("The job.", createJobSchema),
  errors: ["not_found"],
  example: { jobRef: "id:01890a5d-ac96-774b-bcce-b302099a8057" },
  run: async ({ input, ports, call }) => ({
    body: toJobRow(requireJob(await ports.jobs.get(input.jobRef.value), input.jobRef, call.principal)),
  }),
});

const jobList = defineAction({
  group: "batch",
  name: "job_list",
  title: "List jobs",
  description:
    "Lists the jobs of the caller, newest first and without their results. " +
    "An administrator sees the jobs of all actors. " +
    "An API token for some models sees only the jobs that it started.",
  intent: "read",
  rule: "signed_in",
  input: pagingParams,
  output: createListOutput("The jobs.", createJobSchema),
  errors: [],
  example: {},
  run: async ({ input, ports, call }) => {
    const rows = await ports.jobs.list((job) => canReadJob(job, call.principal), toPage(input));
    return toReading(rows, (items) => ({ items: items.map(toJobRow) }));
  },
});

const jobCancel = defineAction({
  group: "batch",
  name: "job_cancel",
  title: "Cancel job",
  description:
    "Cancels a job that has not ended: none of its changes become visible. A job that has ended does not change. " +
    "The caller must be allowed to run the action of the job, and must be its actor or an administrator.",
  intent: "other",
  safe: false,
  rule: "signed_in",
  input: { jobRef: requireParam(jobRef, "The job, as named in the 202 answer.") },
  output: createJsonOutput("The job after the call.", createJobSchema),
  errors: ["not_allowed", "not_found"],
  example: { jobRef: "id:01890a5d-ac96-774b-bcce-b302099a8057" },
  run: async ({ input, ports, call }) => {
    const { value } = input.jobRef;
    const { action } = requireJob(await ports.jobs.get(value), input.jobRef, call.principal);
    const [group = "", name = ""] = action.split("/");
    authorize(await ports.find(group, name), call.principal);
    return { body: toJobRow(requireJob(await ports.jobs.cancel(value), input.jobRef, call.principal)) };
  },
});

export const jobActions = [jobGet, jobList, jobCancel] as const satisfies readonly Action[];
