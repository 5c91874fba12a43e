import * as z from "zod/mini";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { flag } from "../../domain/values/value-types.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";
import type { CheckedViolation, CheckOptions, LedgerChecks } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { Page, Rows } from "../contract/view.ts";

const findingMembers = {
  code: z.string().check(z.describe("What rule is broken; docs/fsck.md lists them.")),
  place: z.string().check(z.describe("Partition and sort key of the item it is about.")),
  sentence: z.string(),
  mended: z.boolean(),
};

/** Findings that an answer lists. */
const MAX_LISTED = 1_000;

/** The members of an answer that tell what was found, which may be one thing in each of very many items. */
function toFindings<T>(findings: readonly T[]): { readonly found: number; readonly findings: readonly T[] } {
  return { found: findings.length, findings: findings.slice(0, MAX_LISTED) };
}

const findingsSchemas = <T extends z.ZodMiniType>(one: T) => ({
  found: z.int().check(z.describe("How many findings there are.")),
  findings: z.array(one).check(z.describe(`The first ${MAX_LISTED} of them.`)),
});

const REPAIR_TEXT = "Whether to mend what is found wrong; false unless given.";

const rebuildModels = defineAction({
  group: "model",
  name: "maintenance_rebuild_caches",
  title: "Check models",
  description:
    "Holds what is stored of a model against the replay of its log, or of every model in the order of their keys, and mends what the log decides where that is asked for. The log is never touched. Where the time of the call is up before the last model, the answer has a cursor to go on from. What no model names any more only `npm run fsck` finds, which sees the whole table; what waits for the sweeper is left to it.",
  intent: "other",
  safe: false,
  rule: "admin",
  input: {
    modelRef: optionalParam(
      modelRef,
      "The model; every model unless given. By id also one that the list of models lacks.",
    ),
    mend: optionalParam(flag, REPAIR_TEXT),
    ...pagingParams,
  },
  output: {
    mediaType: "application/json",
    description: "How many models were checked, whether those were the last ones, and what was found.",
    schema: () =>
      namedObjectSchema("ModelChecks", {
        checked: z.int(),
        complete: z.boolean(),
        ...findingsSchemas(namedObjectSchema("ModelFinding", { modelId: z.string(), ...findingMembers })),
      }),
  },
  errors: ["not_found"],
  example: { modelRef: "key:crm" },
  run: async ({ input, ports, call }) => {
    const options: CheckOptions = { repair: input.mend ?? false, until: computeHalfTime(call.time, call.deadline) };
    const { store, checks } = ports;
    const checked = input.modelRef
      ? { items: [await checkOne(input.modelRef, store, checks, options)] }
      : await checkAll(toPage(input), store, checks, options);
    return toReading(checked, (models) => ({
      checked: models.length,
      complete: checked.next === undefined,
      ...toFindings(models.flatMap(({ id, findings }) => findings.map((one) => ({ modelId: id, ...one })))),
    }));
  },
});

interface CheckedModel {
  readonly id: string;
  readonly findings: readonly CheckedViolation[];
}

/** The moment after which no other model is begun, so that the one under way is done before the call has to be. */
function computeHalfTime(time: string, deadline: number): number {
  const began = Date.parse(time);
  return began + (deadline - began) / 2;
}

async function checkOne(ref: Ref, store: Store, checks: LedgerChecks, options: CheckOptions): Promise<CheckedModel> {
  const id = ref.scheme === "id" ? ref.value : (await store.open(ref)).ledgerId;
  const [checked] = await checks.checkModels([id], options);
  if (checked?.isThere) return checked;
  throw new Problem("not_found", `no model ${printRef(ref)}`);
}

async function checkAll(
  page: Page,
  store: Store,
  checks: LedgerChecks,
  options: CheckOptions,
): Promise<Rows<CheckedModel>> {
  const listed = await store.listModels(page);
  const items = await checks.checkModels(
    listed.items.map(({ id }) => id),
    options,
  );
  const last = listed.items[items.length - 1];
  const isCut = items.length < listed.items.length || listed.next !== undefined;
  return { items, ...(isCut && last && { next: last.key }) };
}

const rebuildTags = defineAction({
  group: "tag",
  name: "maintenance_rebuild_caches",
  title: "Check tags",
  description:
    "Holds what is stored of tag groups and global tags against the replay of their log, and mends what the log decides where that is asked for. Local tags are checked with their model.",
  intent: "other",
  safe: false,
  rule: "admin",
  input: { mend: optionalParam(flag, REPAIR_TEXT) },
  output: {
    mediaType: "application/json",
    description: "What was found.",
    schema: () => namedObjectSchema("TagChecks", findingsSchemas(namedObjectSchema("TagFinding", findingMembers))),
  },
  errors: [],
  example: {},
  run: async ({ input, ports }) => ({ body: toFindings(await ports.checks.checkTags(input.mend ?? false)) }),
});

/** The `maintenance_*` actions. */
export const maintenanceActions = [rebuildModels, rebuildTags] as const satisfies readonly Action[];
