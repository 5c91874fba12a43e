import * as z from "zod/mini";
import { createNoModelProblem, type Ref } from "../../domain/refs.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { flag } from "../../domain/values/value-types.ts";
import {
  createNamedOutput,
  createNamedSchema,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, deprecateAlias } from "../contract/params.ts";
import type { CheckedViolation, CheckOptions, LedgerChecks } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { Page, Rows } from "../contract/view.ts";

const findingMembers = {
  code: describeText("The violated rule; docs/fsck.md lists the rules."),
  place: describeText("Partition and sort key of the item."),
  sentence: z.string(),
  mended: z.boolean(),
};

const MAX_LISTED = 1_000;

function toFindings<T>(findings: readonly T[]): { readonly found: number; readonly findings: readonly T[] } {
  return { found: findings.length, findings: findings.slice(0, MAX_LISTED) };
}

const createFindingsSchemas = <T extends z.ZodMiniType>(one: T) => ({
  found: describeInteger("The number of findings."),
  findings: describeList(one, `The first ${MAX_LISTED} of them.`),
});

const repairParam = deprecateAlias(allowParam(flag, "True to repair what is wrong; false unless given."), "mend", {
  since: "2026-11-30",
  until: "2027-11-30",
});

const rebuildModels = defineAction({
  group: "model",
  name: "maintenance_rebuild_caches",
  title: "Check models",
  description:
    "Checks the stored data of a model, or of all models in the order of their keys, against the replay of its log. " +
    "On request it repairs what the log determines. The log itself is never changed. " +
    "If the time of the call ends before the last model, the answer has a cursor to continue. " +
    "Items that belong to no model are found only by `npm run fsck`, which reads the whole table. " +
    "Items that the sweeper will delete are ignored.",
  intent: "other",
  safe: false,
  rule: "admin",
  input: {
    modelRef: allowParam(
      modelRef,
      "The model; all models unless given. An id may also name a model that is missing in the list of models.",
    ),
    repair: repairParam,
    ...pagingParams,
  },
  output: createNamedOutput(
    "ModelChecks",
    "The number of checked models, whether these were all, and the findings.",
    () => ({
      checked: z.int(),
      complete: z.boolean(),
      ...createFindingsSchemas(
        createNamedSchema("ModelFinding", { modelId: describeText("Id of the model."), ...findingMembers }),
      ),
    }),
  ),
  errors: ["not_found"],
  example: { modelRef: "key:crm" },
  run: async ({ input, ports, call }) => {
    const options: CheckOptions = { repair: input.repair ?? false, until: computeHalfTime(call.time, call.deadline) };
    const { store, checks } = ports;
    const rows = input.modelRef
      ? { items: [await checkOne(input.modelRef, store, checks, options)] }
      : await checkAll(toPage(input), store, checks, options);
    return toReading(rows, (models) => ({
      checked: models.length,
      complete: rows.next === undefined,
      ...toFindings(models.flatMap(({ id, findings }) => findings.map((one) => ({ modelId: id, ...one })))),
    }));
  },
});

interface CheckedModel {
  readonly id: string;
  readonly findings: readonly CheckedViolation[];
}

/** Returns the time of the last start, so that the last model is finished before the deadline. */
function computeHalfTime(time: string, deadline: number) {
  const start = Date.parse(time);
  return start + (deadline - start) / 2;
}

async function checkOne(ref: Ref, store: Store, checks: LedgerChecks, options: CheckOptions): Promise<CheckedModel> {
  const id = ref.scheme === "id" ? ref.value : (await store.open(ref)).ledgerId;
  const [check] = await checks.checkModels([id], options);
  if (check?.isThere) return check;
  throw createNoModelProblem(ref);
}

async function checkAll(
  page: Page,
  store: Store,
  checks: LedgerChecks,
  options: CheckOptions,
): Promise<Rows<CheckedModel>> {
  const rows = await store.listModels(page);
  const items = await checks.checkModels(
    rows.items.map(({ id }) => id),
    options,
  );
  const last = rows.items[items.length - 1];
  const isCut = items.length < rows.items.length || rows.next !== undefined;
  return { items, ...(isCut && last && { next: last.key }) };
}

const rebuildTags = defineAction({
  group: "tag",
  name: "maintenance_rebuild_caches",
  title: "Check tags",
  description:
    "Checks the stored data of tag groups and global tags against the replay of their log. On request it repairs what the log determines. Local tags are checked with their model.",
  intent: "other",
  safe: false,
  rule: "admin",
  input: { repair: repairParam },
  output: createNamedOutput("TagChecks", "The findings.", () =>
    createFindingsSchemas(createNamedSchema("TagFinding", findingMembers)),
  ),
  errors: [],
  example: {},
  run: async ({ input, ports }) => ({ body: toFindings(await ports.checks.checkTags(input.repair ?? false)) }),
});

export const maintenanceActions = [rebuildModels, rebuildTags] as const satisfies readonly Action[];
