import * as z from "zod/mini";
import { model } from "../../domain/kinds.ts";
import { type Change, updateChanges } from "../../domain/model/changes.ts";
import { listObjects } from "../../domain/model/content.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { createRestorer } from "../../domain/model/restore.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { compareVersions, modelVersion } from "../../domain/values/value-types.ts";
import { createWrittenOutput, namedObjectSchema, writtenOutput } from "../building/answers.ts";
import { toSubject } from "../building/field-actions.ts";
import { checkObjectProperties } from "../building/properties.ts";
import { findOrUndefined } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { requiredParam } from "../contract/params.ts";
import { type PastObjects, type PointInTime, parsePointInTime, requirePastObjects } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { pointInTimeParams } from "./exchange.ts";

const modelRelease = defineAction({
  group: "model",
  name: "model_release",
  title: "Release model",
  description:
    "Releases what a model holds as a version, which can be read and compared from then on. The version has to be greater than the one before, in the order of Semantic Versioning.",
  intent: "update",
  rule: "model_release",
  target: model,
  input: { value: requiredParam(modelVersion, "The version.", "version") },
  output: writtenOutput,
  errors: ["version_not_greater"],
  example: { modelRef: "key:crm", value: "1.0.0" },
  run: async ({ target, input, view }) => {
    checkVersionGreater(input.value, target);
    const content = await view.readContent(true);
    const changes = updateChanges(target, { version: input.value });
    const holds = listObjects({ ...content, model: { ...content.model, version: input.value } });
    return { subject: toSubject(target), changes, release: input.value, holds };
  },
});

/** The label of a model never goes back, so it names the highest release. */
function checkVersionGreater(version: string, { key, version: highest }: Model): void {
  if (compareVersions(version, highest) > 0) return;
  const detail = `${version} does not come after ${highest}, the highest release of the model ${key}; choose a greater version`;
  throw new Problem("version_not_greater", detail);
}

const restoreOutput = createWrittenOutput("What was written, and what could not come back as it was.", () => ({
  restoredRevision: z.int().check(z.describe("The revision whose state the model has again.")),
  losses: z.array(
    namedObjectSchema("RestoreLoss", {
      id: z.string().check(z.describe("The object it is about.")),
      detail: z.string(),
    }),
  ),
}));

const modelRestore = defineAction({
  group: "model",
  name: "model_restore",
  title: "Restore model",
  description:
    "Brings a model back to what it held at a version or a revision, as a new commit; nothing of its history is lost. Give either `version` or `revision`. Objects return under their ids. `losses` tells what cannot be as it was: the version label never goes back, a key may belong to another model now, and global tags may be gone.",
  intent: "update",
  rule: "model_write",
  notInBatch: { why: "it publishes the whole model anew" },
  mayBecomeJob: true,
  target: model,
  input: {
    version: { ...pointInTimeParams.version, description: "The released version to go back to." },
    revision: { ...pointInTimeParams.revision, description: "The revision to go back to, in the place of a version." },
  },
  output: restoreOutput,
  errors: [],
  example: { modelRef: "key:crm", revision: 1 },
  prepare: async ({ input }) => void requirePointInTime(input.version, input.revision),
  run: async ({ target, input, view, ports, open, tags }) => {
    const past = await requirePastObjects(
      await ports.store.openPast(),
      view,
      requirePointInTime(input.version, input.revision),
    );
    const restoring = createRestorer(await view.readContent(true));
    for await (const object of past.objects) restoring.add(object);
    const { key } = restoring.getModel();
    const keyTaken = key !== target.key && (await isKeyTaken(key, target.id, open));
    const lostTags = await findDeletedTags(restoring.listGlobalTagIds(), past, tags);
    const { changes, losses } = restoring.finish({ keyTaken, lostTags });
    await checkObjectProperties(findObjectsWithNewProperties(changes), ports.store);
    return {
      subject: { id: target.id, key: keyTaken ? target.key : key },
      changes,
      publish: true,
      keysLookedUp: true,
      extra: { restoredRevision: past.revision, losses },
    };
  },
});

/** The objects that changes make, or give other properties. */
export function* findObjectsWithNewProperties(changes: readonly Change[]): Generator<AnyObject> {
  for (const change of changes) {
    if (change.does === "delete") continue;
    const before = change.does === "update" ? (change.before as WithProperties).properties : undefined;
    if ((change.after as WithProperties).properties !== before) yield change.after;
  }
}

type WithProperties = { readonly properties?: string };

function requirePointInTime(version: string | undefined, revision: number | undefined): PointInTime {
  const moment = parsePointInTime(version, revision);
  if (moment) return moment;
  const detail = "give the version or the revision to go back to";
  const errors = ["/version", "/revision"].map((pointer) => ({ pointer, detail }));
  throw new Problem("bad_parameters", detail, { errors });
}

/** True where another model has a key; the model itself may have it again already. */
async function isKeyTaken(value: string, own: string, open: (ref: Ref) => Promise<ReadView>): Promise<boolean> {
  const holder = await findOrUndefined(open({ scheme: "key", value }));
  return holder !== undefined && holder.ledgerId !== own;
}

/** Ids of the global tags that objects were linked to then and that are gone now. */
async function findDeletedTags(
  linked: readonly string[],
  past: PastObjects,
  tags: () => Promise<ReadView>,
): Promise<ReadonlySet<string>> {
  if (linked.length === 0) return new Set();
  const then = await past.globalTags();
  const shown = linked.filter((id) => then.has(id));
  const now = await readGlobalTags(shown, tags);
  return new Set(shown.filter((id) => !now.has(id)));
}

/** The actions that release a version of a model and restore a model to a version. */
export const versionActions = [modelRelease, modelRestore] as const satisfies readonly Action[];
