import { hashPlan, planSteps } from "../../domain/apply/plan.ts";
import { computeChanges } from "../../domain/apply/target-changes.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { indexTagIdsByRef, listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type MergeResult, mergeDocuments } from "../../domain/merge/merge.ts";
import { copyUnmergedHead, haveSameForm, normalizeBase, normalizeStored } from "../../domain/merge/stored-forms.ts";
import { type ImportBase, listObjects, removeUnmadeTagLinks } from "../../domain/merge/triples.ts";
import { type Change, updateChanges } from "../../domain/model/changes.ts";
import type { Model } from "../../domain/model/objects.ts";
import { findDialectRules } from "../../domain/normal-form/dialect-rules.ts";
import { type Conflict, Problem } from "../../domain/problems.ts";
import type { OnConflict } from "../../domain/values/model-types.ts";
import type { Warning } from "../../domain/warnings.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { readGlobalTags } from "../building/tags.ts";
import { authorizeOn, type Decision, type Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import type { RecognisedSource } from "../contract/ports.ts";
import type { ReadView } from "../contract/view.ts";
import { loadPropertyRules } from "./compare.ts";
import { cutConflictValue } from "./difference-schemas.ts";
import { createTagPart, type ImportedTags, importTags } from "./imported-tags.ts";
import { createImportRecord, warnAboutKeptMembers } from "./source-document.ts";
import { findObjectsWithNewProperties } from "./versions.ts";

/** The options of merging a source into a model. */
export interface MergeOptions {
  readonly document: ModelDocument;
  readonly label: string;
  readonly onConflict: OnConflict;
  readonly recognised: RecognisedSource;
  readonly warnings: readonly Warning[];
  readonly counts: Readonly<Record<string, number>>;
  readonly pointer: string;
  readonly call: Call;
  readonly ports: Ports;
  readonly tags: () => Promise<ReadView>;
}

/** Decides the merge of a model with a source. Throws `merge_conflict`, `not_allowed`, `key_taken` and `too_large`. */
export async function mergeSource(view: ReadView, options: MergeOptions): Promise<Decision> {
  const { document, label, onConflict, call, ports, tags, counts } = options;
  const subject = { id: view.ledgerId, key: view.modelKey };
  authorizeOn(subject, "model_write", call.principal);
  const content = await view.readContent(true);
  const { sources = {} } = content.model;
  checkSourceCount(sources, label);
  const storedBase = await readImportBase(sources, label, ports);
  const globals = await readGlobalTags(listGlobalTagIds(content), tags);
  const tagImport = await importTags(document, tags, call);
  const tagIds = new Map([...indexTagIdsByRef(globals), ...tagImport.ids]);
  const stored = toDocument(content, globals);
  const isSql = findDialectRules(document.properties) !== undefined;
  const base = storedBase && isSql ? normalizeBase(storedBase, document) : storedBase;
  const ours = isSql ? normalizeStored(stored, call.nextId) : stored;
  const merge = mergeDocuments(
    { base, ours, theirs: document },
    {
      label,
      winner: onConflict === "theirs" ? "theirs" : "ours",
      nextId: call.nextId,
      hasGlobalTag: (ref) => tagIds.has(ref),
    },
  );
  const { target, conflicts } = merge;
  if (onConflict === "refuse" && conflicts.length > 0) throw createConflictProblem(view, merge);
  const steps = planSteps(ours, target, await loadPropertyRules([ours, target], tags));
  // Other changes also bring the stored model into its normal form.
  const isSame = isSql && haveSameForm(ours, target);
  const changes = isSame ? [] : await computeChanges(content, stored, target, tagIds, view);
  await checkObjectProperties(findObjectsWithNewProperties(changes), ports.store, call.budget, options.pointer);
  const record = createImportRecord(call.newId());
  const isNew =
    !base ||
    !haveSameForm(
      copyUnmergedHead(base.document, document),
      removeUnmadeTagLinks(document, (ref) => tagIds.has(ref)),
    );
  const tagChanges = selectLinkedTagChanges(tagImport, target);
  return {
    subject,
    begins: view,
    source: label,
    changes: isNew ? addModelMembers(changes, content.model, record.toSources(label, sources)) : changes,
    ...(isNew && record.toBlobs(document, merge.findId, (ref) => tagIds.has(ref))),
    keysLookedUp: true,
    ...(await createTagPart(tagChanges, tags)),
    extra: {
      counts: { ...counts, globalTags: tagChanges.length },
      recognised: options.recognised,
      warnings: [
        ...options.warnings,
        ...tagImport.warnings,
        ...(await warnAboutKeptMembers(view, document, base?.document)),
      ],
      plan: hashPlan({ model: view.ledgerId, revision: view.revision }, steps),
      stepCount: steps.length,
      conflictCount: conflicts.length,
    },
    preview: {
      steps: steps.slice(0, LIMITS.plannedSteps),
      likelyRenames: merge.likelyRenames,
      conflicts: limitConflicts(conflicts),
    },
  };
}

async function readImportBase(
  sources: Readonly<Record<string, string>>,
  label: string,
  ports: Ports,
): Promise<ImportBase | undefined> {
  const name = Object.hasOwn(sources, label) ? sources[label] : undefined;
  // `createImportRecord` wrote it.
  return name === undefined ? undefined : ((await (await ports.store.openPast()).readBlob(name)) as ImportBase);
}

function checkSourceCount(sources: Readonly<Record<string, string>>, label: string) {
  const count = Object.keys(sources).length;
  if (Object.hasOwn(sources, label) || count < LIMITS.modelSources) return;
  throw new Problem(
    "too_large",
    `The model already follows ${count} sources, and the maximum is ${LIMITS.modelSources}. Import under an existing label`,
  );
}

function createConflictProblem({ modelKey, revision }: ReadView, { conflicts }: MergeResult): Problem {
  const count = conflicts.length;
  const subject = count === 1 ? "One value was" : `${count} values were`;
  return new Problem(
    "merge_conflict",
    `${subject} changed in different ways in the model ${modelKey} and in its source. Set onConflict to ours or theirs, or change one of the two`,
    { conflicts: limitConflicts(conflicts), conflictCount: count, currentRevision: revision },
  );
}

function limitConflicts(conflicts: readonly Conflict[]): readonly Conflict[] {
  return conflicts.slice(0, LIMITS.conflictRows).map((one) => ({
    ...one,
    base: cutConflictValue(one.base),
    ours: cutConflictValue(one.ours),
    theirs: cutConflictValue(one.theirs),
  }));
}

function addModelMembers(changes: readonly Change[], model: Model, members: Partial<Model>): readonly Change[] {
  const others = changes.filter((change) => change.does !== "update" || change.after.kind !== "model");
  const [own] = changes.flatMap((change) =>
    change.does === "update" && change.after.kind === "model" ? [change.after] : [],
  );
  const { kind: _kind, id: _id, revision: _revision, ...fields } = { ...(own ?? model), ...members };
  return [...updateChanges(model, addClearedMembers(model, fields)), ...others];
}

function addClearedMembers(model: Model, fields: Partial<Model>): Partial<Model> {
  const names = Object.keys(model).filter((name) => !["kind", "id", "revision"].includes(name) && !(name in fields));
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), ...fields };
}

function selectLinkedTagChanges({ ids, changes }: ImportedTags, document: ModelDocument): readonly Change[] {
  const links = [...listObjects(document)].flatMap((object) => (object as ModelDocument).tags ?? []);
  const linkIds = new Set(links.flatMap((ref) => ids.get(ref) ?? []));
  const list = changes.flatMap((change) => (change.does === "create" ? [change.after] : []));
  const groups = new Set(list.flatMap((one) => (one.kind === "global_tag" && linkIds.has(one.id) ? [one.owner] : [])));
  return changes.filter(
    (change) => change.does === "create" && (linkIds.has(change.after.id) || groups.has(change.after.id)),
  );
}
