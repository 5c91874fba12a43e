import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { batchEntries } from "../../domain/values/batch-types.ts";
import { createDryRunMembers, namedObjectSchema } from "../building/answers.ts";
import type { Action, CustomAnswer, Decision } from "../contract/action.ts";
import { getAllParams } from "../contract/action-parameters.ts";
import { formatEtag } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { requiredParam } from "../contract/params.ts";
import type { Part, Requirement } from "../contract/store.ts";
import { type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import { prepareEntries, runForEntry } from "./entries.ts";
import { jobActions } from "./job.ts";
import { type EntryResult, formatResult, hasChanges, runEntry } from "./run-entry.ts";
import { createStagedStore, isDeleted, type StagedStore, type StagedView } from "./staged-store.ts";

const output = {
  mediaType: "application/json" as const,
  description: "What every entry answers, and the revision of every model the batch touched.",
  schema: () =>
    namedObjectSchema("BatchAnswer", {
      status: z.literal("ok"),
      changed: z.boolean().check(z.describe("False when everything was already as asked.")),
      results: z.array(z.unknown()).check(z.describe("The answer of each entry, in their order.")),
      revisions: z
        .array(namedObjectSchema("BatchRevision", { id: z.string(), key: z.string(), revision: z.int() }))
        .check(
          z.describe(
            "Every model the batch touched, with its revision after the call; last `tags`, where it changed global tags.",
          ),
        ),
      ...createDryRunMembers(),
    }),
};

const batchRun = defineAction({
  group: "batch",
  name: "batch_run",
  title: "Run batch",
  description: `Runs a list of actions as one: each under its own rule, seeing what the ones before it did; all of it is written, or nothing. Each model gets one new revision, however many entries change it. An entry can use what an earlier one answered: a text \`$<n>.<member>\` in its payload, also as \`id:$<n>.<member>\` or \`key:$<n>.<member>\`, stands for that member of the n-th entry's result, counted from 1, with dots between steps as in \`$2.items.0.id\`; a text that begins so and means itself is written with one \`$\` more. What one transaction holds (${LIMITS.transactionItems} items) may touch several models; a larger batch may write to one model, at most ${LIMITS.objectsPerCall} objects, and becomes a job where that model takes too long to write. An entry that lists a page answers the cursor of the next one as \`cursor\`.`,
  intent: "update",
  rule: "signed_in",
  manyModels: true,
  mayBecomeJob: true,
  // The prepared value holds actions, which cannot be kept.
  preparesAnew: true,
  // Every entry is judged by its own rule.
  seesAll: true,
  notInBatch: { why: "a batch holds no other" },
  input: {
    actions: requiredParam(
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
  prepare: async ({ input, ports, call }) => prepareEntries(input.actions, ports, call.principal),
  run: async ({ input, prepared, call, ports, open, tags }) => {
    const staged = createStagedStore({ store: ports.store, open, tags, entries: prepared.length });
    const results: EntryResult[] = [];
    for (const [i, entry] of prepared.entries()) {
      const named = input.actions[i] ?? { group: entry.action.group, action: entry.action.name };
      results.push(await runForEntry(i, named, () => runEntry(i, entry, results, staged, { call, ports })));
    }
    return {
      ...createBatchDecision(results, staged),
      holdsSecrets: prepared.some(({ action }) => hasSecretParameter(action)),
    };
  },
});

function hasSecretParameter(action: Action): boolean {
  return Object.values(getAllParams(action)).some(({ type }) => type.secret);
}

/** The decision of the whole batch, made of those of its entries. */
function createBatchDecision(results: readonly EntryResult[], staged: StagedStore): Decision {
  const parts = foldParts(results, staged);
  checkBatchSize(parts);
  const [main, ...others] = parts;
  const [first] = staged.ledgers;
  const begins = main?.ledger ?? first;
  if (!begins) throw new Error("a batch without a ledger");
  return {
    subject: { id: begins.ledgerId, key: begins.modelKey },
    begins: begins.base,
    changes: [],
    ...main?.part,
    alongside: others.map(({ part }) => part),
    keysLookedUp: true,
    requires: foldRequirements(results, staged, parts),
    custom: createBatchAnswer(results, staged, parts),
  };
}

/** The results of all entries, whose lists of removed objects together are no longer than that of one answer. */
function formatResults(results: readonly EntryResult[], revisionOf: (one: StagedView) => number): readonly unknown[] {
  let listed = 0;
  return results.map((result) => {
    const place = Math.max(0, LIMITS.removedRows - listed);
    listed += result.decision?.removed?.length ?? 0;
    return formatResult(result, revisionOf(result.ledger), place);
  });
}

function checkBatchSize(parts: readonly LedgerPart[]): void {
  const count = parts.reduce((sum, { part }) => sum + part.changes.length, 0);
  if (parts.length > 1 && count > LIMITS.transactionItems) {
    const detail = `a batch of more than ${LIMITS.transactionItems} changes may write to one model; this one changes ${count} objects of ${parts.length} models: make a batch of each`;
    throw new Problem("too_large", detail);
  }
  if (count <= LIMITS.objectsPerCall) return;
  throw new Problem(
    "too_large",
    `one batch may change ${LIMITS.objectsPerCall} objects; this one changes ${count}: make several of it`,
  );
}

function createBatchAnswer(
  results: readonly EntryResult[],
  staged: StagedStore,
  parts: readonly LedgerPart[],
): CustomAnswer {
  const changed = new Set(parts.map(({ ledger }) => ledger));
  // A model that was made and deleted again never was, and tags are read with whatever they mark.
  const isShown = (one: StagedView) =>
    one.ledgerId === TAGS_LEDGER ? changed.has(one) : !one.begun || !isDeleted(one);
  const isModel = ({ ledgerId }: StagedView): boolean => ledgerId !== TAGS_LEDGER;
  const shown = staged.ledgers.filter(isShown);
  const models = shown.filter(isModel);
  // Whatever looked at tags first, models come in the order of the entries.
  const touched = [...models, ...shown.filter((one) => !isModel(one))];
  const [concerned, another] = models.length > 0 ? models : touched;
  const others = new Map(staged.ledgers.map((one) => [one, one.base.revision + (changed.has(one) ? 1 : 0)]));
  return {
    isFixed: staged.ledgers.length > 1 || results.some(({ decision }) => !decision || decision.holds),
    at: (revision) => {
      const revisionOf = (one: StagedView): number => (one === parts[0]?.ledger ? revision : (others.get(one) ?? 0));
      return {
        body: {
          status: "ok",
          changed: parts.length > 0,
          results: formatResults(results, revisionOf),
          revisions: touched.map((one) => ({
            id: one.ledgerId,
            key: one.modelKey || one.ledgerId,
            revision: revisionOf(one),
          })),
        },
        ...(concerned &&
          !another && { etag: formatEtag({ ledgerId: concerned.ledgerId, revision: revisionOf(concerned) }) }),
      };
    },
  };
}

/** The actions of the group `batch`. */
export const batchActions = [batchRun, ...jobActions] as const satisfies readonly Action[];

/** A ledger that a batch changes, with the changes. */
interface LedgerPart {
  readonly ledger: StagedView;
  readonly part: Part & { readonly view: ReadView };
}

/** The changes of all entries of a batch, folded to their net effect: one part for every ledger that changes. */
function foldParts(results: readonly EntryResult[], staged: StagedStore): readonly LedgerPart[] {
  const deadTags = new Set(staged.ledgers.flatMap((ledger) => [...ledger.staged.vanished]));
  const written = staged.ledgers.flatMap((ledger) => {
    const changes = ledger.staged.listChanges(deadTags);
    return changes.length > 0 ? [{ ledger, changes }] : [];
  });
  const tags = staged.ledgers.find(({ base }) => base.ledgerId === TAGS_LEDGER);
  const tagsMove = written.some(({ ledger }) => ledger === tags);
  const tagsRevision = tags && tags.base.revision + (tagsMove ? 1 : 0);
  return written.map(({ ledger, changes }) => {
    const facts = createLogMembers(ledger, changes, results, staged, { revision: tagsRevision, move: tagsMove });
    return { ledger, part: { view: ledger.base, changes, ...facts } };
  });
}

/** The members of a log entry beside its changes. */
function createLogMembers(
  ledger: StagedView,
  changes: readonly Change[],
  results: readonly EntryResult[],
  staged: StagedStore,
  tags: { readonly revision: number | undefined; readonly move: boolean },
): Pick<Part, "actions" | "release" | "holds" | "blobs" | "tagsSeen"> {
  const writers = results.filter((result) => isWriter(result, ledger, staged));
  // An entry releases the ledger it is about, and none that it writes to alongside.
  const own = writers.filter((result) => result.ledger === ledger);
  const [release] = own.flatMap(({ decision }) => decision?.release ?? []);
  const [holds] = own.flatMap(({ decision }) => (decision?.holds ? [decision.holds] : []));
  // Tags that move with the batch are those of every revision it makes, seen or not.
  const hasTags = ledger.base.ledgerId !== TAGS_LEDGER && (tags.move || writers.some((result) => result.sawTags));
  return {
    actions: [...new Set(writers.map(({ action }) => action))],
    ...(release !== undefined && { release }),
    ...(holds && { holds: setRevision(holds, changes, ledger.base.revision + 1) }),
    ...selectBlobs(own, changes),
    ...(hasTags && tags.revision !== undefined && { tagsSeen: tags.revision }),
  };
}

/** The blobs that the model names once all entries are done. */
function selectBlobs(own: readonly EntryResult[], changes: readonly Change[]): Pick<Part, "blobs"> {
  const named = changes.flatMap((change) =>
    change.does !== "delete" && change.after.kind === "model" ? Object.values(change.after.sources ?? {}) : [],
  );
  const blobs = own.flatMap(({ decision }) => decision?.blobs ?? []).filter(({ name }) => named.includes(name));
  return blobs.length > 0 ? { blobs } : {};
}

/** The objects that are released, with the revision that this batch gives to those it changes. */
function setRevision(
  objects: readonly AnyObject[],
  changes: readonly Change[],
  revision: number,
): readonly AnyObject[] {
  const changed = new Set(changes.flatMap((change) => (change.does === "delete" ? [] : [change.after.id])));
  return objects.map((object) => (changed.has(object.id) ? { ...object, revision } : object));
}

function isWriter({ decision, ledger: main }: EntryResult, ledger: StagedView, staged: StagedStore): boolean {
  if (!decision || !hasChanges(decision)) return false;
  return main === ledger || (decision.alongside ?? []).some(({ view }) => staged.findLedger(view) === ledger);
}

/** The objects that have to be there still, each once, as far as the locks of the ledgers written do not see to it. */
function foldRequirements(
  results: readonly EntryResult[],
  staged: StagedStore,
  parts: readonly LedgerPart[],
): readonly Requirement[] {
  const needed = new Map<string, Requirement>();
  for (const { decision } of results) {
    for (const { view, object } of decision?.requires ?? []) {
      const ledger = staged.findLedger(view);
      const isLocked = parts.some((one) => one.ledger === ledger) || ledger.staged.vanished.has(object.id);
      if (!isLocked) needed.set(object.id, { view: ledger.base, object });
    }
  }
  return [...needed.values()];
}
