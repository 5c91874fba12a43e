import * as z from "zod/mini";
import type { Change } from "../../domain/change.ts";
import { model } from "../../domain/kinds.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { beginRestoration } from "../../domain/restore.ts";
import { ifFound } from "../building/if-found.ts";
import { namedObject } from "../building/named-object.ts";
import { checkObjectProperties } from "../building/property-checks.ts";
import { globalTags } from "../building/tags-shown.ts";
import { writtenWith } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { type Moment, momentOf, needPastObjects, type PastObjects } from "../contract/past.ts";
import type { View } from "../contract/view.ts";
import { moments } from "./past-document.ts";

const restored = writtenWith("What was written, and what could not come back as it was.", () => ({
  restoredRevision: z.int().check(z.describe("The revision whose state the model has again.")),
  losses: z.array(
    namedObject("RestoreLoss", { id: z.string().check(z.describe("The object it is about.")), detail: z.string() }),
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
    version: { ...moments.version, description: "The released version to go back to." },
    revision: { ...moments.revision, description: "The revision to go back to, in the place of a version." },
  },
  output: restored,
  errors: [],
  example: { modelRef: "key:crm", revision: 1 },
  prepare: async ({ input }) => void momentAsked(input.version, input.revision),
  run: async ({ target, input, view, ports, open, tags }) => {
    const past = await needPastObjects(await ports.store.past(), view, momentAsked(input.version, input.revision));
    const restoring = beginRestoration(await view.content(true));
    for await (const object of past.objects) restoring.take(object);
    const { key } = restoring.model();
    const keyTaken = key !== target.key && (await isTaken(key, target.id, open));
    const lostTags = await tagsGone(restoring.globalTags(), past, tags);
    const { changes, losses } = restoring.end({ keyTaken, lostTags });
    await checkObjectProperties(objectsWithNewProperties(changes), ports.store);
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
export function* objectsWithNewProperties(changes: readonly Change[]): Generator<AnyObject> {
  for (const change of changes) {
    if (change.does === "delete") continue;
    const before = change.does === "update" ? (change.before as Held).properties : undefined;
    if ((change.after as Held).properties !== before) yield change.after;
  }
}

type Held = { readonly properties?: string };

function momentAsked(version: string | undefined, revision: number | undefined): Moment {
  const moment = momentOf(version, revision);
  if (moment) return moment;
  const detail = "give the version or the revision to go back to";
  const errors = ["/version", "/revision"].map((pointer) => ({ pointer, detail }));
  throw new Problem("bad_parameters", detail, { errors });
}

/** True where another model has a key; the model itself may have it again already. */
async function isTaken(value: string, own: string, open: (ref: Ref) => Promise<View>): Promise<boolean> {
  const holder = await ifFound(open({ scheme: "key", value }));
  return holder !== undefined && holder.ledgerId !== own;
}

/** Ids of the global tags that objects were linked to then and that are gone now. */
async function tagsGone(
  linked: readonly string[],
  past: PastObjects,
  tags: () => Promise<View>,
): Promise<ReadonlySet<string>> {
  if (linked.length === 0) return new Set();
  const then = await past.globalTags();
  const shown = linked.filter((id) => then.has(id));
  const now = await globalTags(shown, tags);
  return new Set(shown.filter((id) => !now.has(id)));
}

/** The action that brings models back. */
export const restoreActions = [modelRestore] as const satisfies readonly Action[];
