import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { batchEntries } from "../../domain/values/batch-types.ts";
import {
  createDryRunMembers,
  createNamedOutput,
  createNamedSchema,
  describe,
  describeList,
  describeText,
} from "../building/answers.ts";
import type { Action, CustomAnswer, Decision } from "../contract/action.ts";
import { getAllParams } from "../contract/action-parameters.ts";
import { formatEtag } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { requireParam } from "../contract/params.ts";
import type { Part, Requirement } from "../contract/store.ts";
import { type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import { jobActions } from "./job.ts";
import { type EntryResult, formatResult, hasChanges, prepareEntries, runEntry, runForEntry } from "./run-entry.ts";
import { createStagedStore, isDeleted, type StagedStore, type StagedView } from "./staged-store.ts";

const output = createNamedOutput(
  "BatchAnswer",
  "The answer of each entry, and the revision of each model that the batch used.",
  () => ({
    status: z.literal("ok"),
    changed: describe(z.boolean(), "False when nothing had to be changed."),
    results: describeList(
      z.looseObject({ omitted: z.optional(z.literal(true)) }).check(z.meta({ title: "BatchResult" })),
      "The answers of the entries, in the order of the entries. In an answer that is replayed for an `Idempotency-Key`, an entry that only reads has `{omitted: true}` instead.",
    ),
    revisions: describeList(
      createNamedSchema("BatchRevision", {
        id: describeText("Id of the model."),
        key: z.string(),
        revision: z.int(),
      }),
      "Each model that the batch used, with its revision after the call. `tags` comes last, if the batch changed global tags.",
    ),
    ...createDryRunMembers(),
  }),
);

const batchRun = defineAction({
  group: "batch",
  name: "batch_run",
  title: "Run batch",
  description: `Runs a list of actions as one transaction: everything is written, or nothing. Each entry is checked against its own rule and sees the effects of the earlier entries. Each model gets one new revision, however many entries change it. An entry can use the answer of an earlier entry: the text \`$<n>.<member>\` in its payload, also as \`id:$<n>.<member>\` or \`key:$<n>.<member>\`, is replaced by that member of the result of entry n, counted from 1. Dots separate steps, as in \`$2.items.0.id\`. To send such a text literally, add one more \`$\` in front. A batch that fits one transaction (${LIMITS.transactionItems} items) may change several models. A larger batch may change one model, at most ${LIMITS.objectsPerCall} objects, and becomes a job if that takes too long. An entry that lists a page answers the cursor of the next page as \`cursor\`. The results together have at most ${LIMITS.batchAnswerBytes} bytes; the entry that exceeds them is refused.`,
  intent: "update",
  rule: "signed_in",
  manyModels: true,
  mayBecomeJob: true,
  // The prepared value holds actions, which cannot be stored with a job.
  prepareAgain: true,
  // Each entry is checked against its own rule.
  seesAll: true,
  notInBatch: { why: "a batch cannot contain another batch" },
  input: {
    actions: requireParam(
      batchEntries,
      "The entries, each `{group, action, payload}`, in the order in which they run.",
    ),
  },
  output,
  errors: [
    "not_allowed",
    "not_found",
    "unknown_action",
    "key_taken",
    "still_used",
    "too_few_roles",
    "too_many_roles",
    "version_not_greater",
    "result_too_large",
    "source_not_recognised",
    "invalid_content",
  ],
  example: {
    actions: [
      { group: "model", action: "entity_create", payload: { modelRef: "key:crm", entityKey: "supplier" } },
      {
        group: "model",
        action: "entity_attribute_create",
        payload: {
          modelRef: "key:crm",
          entityRef: "id:$1.id",
          attributeKey: "code",
          type: "key:string",
          optional: false,
        },
      },
    ],
  },
  prepare: async ({ input, ports, call }) => prepareEntries(input.actions, ports, call),
  run: async ({ input, prepared, call, ports, open, tags }) => {
    const batch = createStagedStore({ store: ports.store, open, tags, entries: prepared.length });
    const results: EntryResult[] = [];
    let removedRows: number = LIMITS.removedRows;
    for (const [i, entry] of prepared.entries()) {
      const name = input.actions[i] ?? { group: entry.action.group, action: entry.action.name };
      await call.budget.checkTime();
      await runForEntry(i, name, async () => {
        const result = await runEntry(i, entry, results, batch, { call, ports });
        call.budget.chargeAnswer(formatResult(result, undefined, removedRows));
        removedRows = Math.max(0, removedRows - (result.decision?.removals?.length ?? 0));
        results.push(result);
      });
    }
    return {
      ...createBatchDecision(results, batch),
      holdsSecrets: prepared.some(({ action }) => Object.values(getAllParams(action)).some(({ type }) => type.secret)),
    };
  },
});

function createBatchDecision(results: readonly EntryResult[], batch: StagedStore): Decision {
  const parts = foldParts(results, batch);
  checkBatchSize(parts);
  const [main, ...others] = parts;
  const [first] = batch.ledgers;
  const begins = main?.ledger ?? first;
  if (!begins) throw new Error("The batch has no ledger");
  return {
    subject: { id: begins.ledgerId, key: begins.modelKey },
    begins: begins.base,
    changes: [],
    ...main?.part,
    alongside: others.map(({ part }) => part),
    keysLookedUp: true,
    requires: foldRequirements(results, batch, parts),
    custom: createBatchAnswer(results, batch, parts),
  };
}

/** Returns the body that a replay answers: without the answers of entries that only read. */
function omitReads<B extends { readonly results: readonly unknown[] }>(body: B, results: readonly EntryResult[]): B {
  return { ...body, results: body.results.map((one, i) => (results[i]?.decision ? one : { omitted: true })) };
}

function formatResults(results: readonly EntryResult[], getRevision: (one: StagedView) => number): readonly unknown[] {
  let count = 0;
  return results.map((result) => {
    const removedRows = Math.max(0, LIMITS.removedRows - count);
    count += result.decision?.removals?.length ?? 0;
    return formatResult(result, getRevision(result.ledger), removedRows);
  });
}

function checkBatchSize(parts: readonly LedgerPart[]) {
  const count = parts.reduce((sum, { part }) => sum + part.changes.length, 0);
  if (parts.length > 1 && count > LIMITS.transactionItems) {
    const detail = `A batch of more than ${LIMITS.transactionItems} changes may change only one model; this one changes ${count} objects of ${parts.length} models. Send one batch for each model`;
    throw new Problem("too_large", detail);
  }
  if (count <= LIMITS.objectsPerCall) return;
  throw new Problem(
    "too_large",
    `A batch may change at most ${LIMITS.objectsPerCall} objects; this one changes ${count}. Split it into several batches`,
  );
}

function createBatchAnswer(
  results: readonly EntryResult[],
  batch: StagedStore,
  parts: readonly LedgerPart[],
): CustomAnswer {
  const targets = new Set(parts.map(({ ledger }) => ledger));
  // Leaves out models that the batch created and deleted again, and tags that were only read.
  const isListed = (one: StagedView) =>
    one.ledgerId === TAGS_LEDGER ? targets.has(one) : !one.begun || !isDeleted(one);
  const isModel = ({ ledgerId }: StagedView) => ledgerId !== TAGS_LEDGER;
  const views = batch.ledgers.filter(isListed);
  const models = views.filter(isModel);
  // Models come first, in the order of the entries, even if an entry read tags earlier.
  const ledgers = [...models, ...views.filter((one) => !isModel(one))];
  const [first, second] = models.length > 0 ? models : ledgers;
  const others = new Map(batch.ledgers.map((one) => [one, one.base.revision + (targets.has(one) ? 1 : 0)]));
  return {
    isFixed: batch.ledgers.length > 1 || results.some(({ decision }) => !decision || decision.holds),
    create: (revision) => {
      const getRevision = (one: StagedView) => (one === parts[0]?.ledger ? revision : (others.get(one) ?? 0));
      const body = {
        status: "ok",
        changed: parts.length > 0,
        results: formatResults(results, getRevision),
        revisions: ledgers.map((one) => ({
          id: one.ledgerId,
          key: one.modelKey || one.ledgerId,
          revision: getRevision(one),
        })),
      };
      return {
        body,
        ...(results.some(({ decision }) => !decision) && { recorded: omitReads(body, results) }),
        ...(first && !second && { etag: formatEtag({ ledgerId: first.ledgerId, revision: getRevision(first) }) }),
      };
    },
  };
}

export const batchActions = [batchRun, ...jobActions] as const satisfies readonly Action[];

interface LedgerPart {
  readonly ledger: StagedView;
  readonly part: Part & { readonly view: ReadView };
}

function foldParts(results: readonly EntryResult[], batch: StagedStore): readonly LedgerPart[] {
  const deadTags = new Set(batch.ledgers.flatMap((ledger) => [...ledger.delta.deadIds]));
  const deltas = batch.ledgers.flatMap((ledger) => {
    const changes = ledger.delta.listChanges(deadTags);
    return changes.length > 0 ? [{ ledger, changes }] : [];
  });
  const tags = batch.ledgers.find(({ base }) => base.ledgerId === TAGS_LEDGER);
  const tagsChange = deltas.some(({ ledger }) => ledger === tags);
  const tagsRevision = tags && tags.base.revision + (tagsChange ? 1 : 0);
  return deltas.map(({ ledger, changes }) => {
    const members = createLogMembers(ledger, changes, results, batch, { revision: tagsRevision, change: tagsChange });
    return { ledger, part: { view: ledger.base, changes, ...members } };
  });
}

function createLogMembers(
  ledger: StagedView,
  changes: readonly Change[],
  results: readonly EntryResult[],
  batch: StagedStore,
  tags: { readonly revision: number | undefined; readonly change: boolean },
): Pick<Part, "actions" | "release" | "source" | "holds" | "blobs" | "tagsSeen"> {
  const writers = results.filter((result) => isWriter(result, ledger, batch));
  // An entry releases its own ledger, not the ledgers that it changes in addition.
  const own = writers.filter((result) => result.ledger === ledger);
  const [release] = own.flatMap(({ decision }) => decision?.release ?? []);
  const sources = new Set(own.flatMap(({ decision }) => decision?.source ?? []));
  const [objects] = own.flatMap(({ decision }) => (decision?.holds ? [decision.holds] : []));
  // Tags that change with the batch belong to every revision it creates, even if the entries did not read them.
  const hasTags = ledger.base.ledgerId !== TAGS_LEDGER && (tags.change || writers.some((result) => result.sawTags));
  return {
    actions: [...new Set(writers.map(({ action }) => action))],
    ...(release !== undefined && { release }),
    ...(sources.size > 0 && { source: [...sources].join(", ") }),
    ...(objects && { holds: setRevision(objects, changes, ledger.base.revision + 1) }),
    ...selectBlobs(own, changes),
    ...(hasTags && tags.revision !== undefined && { tagsSeen: tags.revision }),
  };
}

function selectBlobs(own: readonly EntryResult[], changes: readonly Change[]): Pick<Part, "blobs"> {
  const blobNames = changes.flatMap((change) =>
    change.does !== "delete" && change.after.kind === "model" ? Object.values(change.after.sources ?? {}) : [],
  );
  const blobs = own.flatMap(({ decision }) => decision?.blobs ?? []).filter(({ name }) => blobNames.includes(name));
  return blobs.length > 0 ? { blobs } : {};
}

function setRevision(
  objects: readonly AnyObject[],
  changes: readonly Change[],
  revision: number,
): readonly AnyObject[] {
  const ids = new Set(changes.flatMap((change) => (change.does === "delete" ? [] : [change.after.id])));
  return objects.map((object) => (ids.has(object.id) ? { ...object, revision } : object));
}

function isWriter({ decision, ledger: main }: EntryResult, ledger: StagedView, batch: StagedStore) {
  if (!decision || !hasChanges(decision)) return false;
  return main === ledger || (decision.alongside ?? []).some(({ view }) => batch.findLedger(view) === ledger);
}

/** Returns the objects that must exist at the commit, once each. Locked ledgers need no check. */
function foldRequirements(
  results: readonly EntryResult[],
  batch: StagedStore,
  parts: readonly LedgerPart[],
): readonly Requirement[] {
  const requirements = new Map<string, Requirement>();
  for (const { decision } of results) {
    for (const { view, object } of decision?.requires ?? []) {
      const ledger = batch.findLedger(view);
      const isLocked = parts.some((one) => one.ledger === ledger) || ledger.delta.deadIds.has(object.id);
      if (!isLocked) requirements.set(object.id, { view: ledger.base, object });
    }
  }
  return [...requirements.values()];
}
