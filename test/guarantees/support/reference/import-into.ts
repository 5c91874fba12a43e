import { formatConflict } from "../../../support/merge/conflict-text.ts";
import { everyIn, type Imported, listsIn } from "../../../support/merge/matched-objects.ts";
import { referenceMerge } from "../../../support/merge/reference-merge.ts";
import { same } from "../../../support/merge/slots.ts";
import type { Body } from "../../../support/world.ts";
import { type Asked, needNamed } from "./action.ts";
import { requirePinned } from "./decide.ts";
import { misfitsIn } from "./definitions.ts";
import { documentOf } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { imagesOf } from "./images.ts";
import { RECOGNISED } from "./import.ts";
import type { RefImported, RefModel } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import { ordered } from "./properties.ts";
import { changesTo } from "./restore.ts";
import type { Source } from "./source.ts";
import type { RefChange, RefWrite } from "./write-result.ts";

/** A source that a model is joined with. */
interface Importing {
  /** The document as it was sent. */
  readonly said: Source;
  readonly label: string;
  readonly counts: object;
}

/** `import` with `into`, as far as the histories go: documents of texts, types, entities and local tags. */
export function importedInto(asked: Asked, { said, label, counts }: Importing): RefWrite {
  const { input, state, pins, newId } = asked;
  const before = needNamed(state.models.values(), input.into);
  requirePinned(
    before,
    pins.filter(({ ledgerId }) => ledgerId === before.id),
  );
  const [ours, theirs] = [exported(before, asked), structuredClone(said) as Body];
  const remembered = before.sources?.[label];
  const base = remembered && asImported(remembered);
  const merge = referenceMerge({ base, ours, theirs, label, newId });
  const { onConflict = "refuse" } = input;
  const { model, ids } = merge.of(onConflict === "theirs" ? "theirs" : "ours");
  const { conflicts } = merge;
  if (typeof model === "string") throw new Refusal(model);
  if (onConflict === "refuse" && conflicts.length > 0) {
    throw new Refusal("merge_conflict", { currentRevision: before.revision, conflicts });
  }
  const after = becoming(before, model, ours);
  const now = imagesOf(before);
  const misfits = [...imagesOf(after)].flatMap(([id, { kind, members }]) =>
    JSON.stringify(members.properties) === JSON.stringify(now.get(id)?.members.properties)
      ? []
      : misfitsIn(asked.definitions, kind, members),
  );
  if (misfits.length > 0) throw badParameters(...misfits.map(() => "/content"));
  if (pins.some(({ ledgerId }) => ledgerId !== before.id)) throw new Refusal("bad_precondition");
  const steps = changesTo(after, before).length;
  if (!base || !same(base.document, theirs)) {
    const kept: RefImported = { document: theirs, ids: everyIn(theirs).map((one) => ids.get(one) ?? "") };
    after.sources = { ...before.sources, [label]: kept };
  }
  const changes = changesTo(after, before);
  const { id, key, revision } = before;
  return {
    does: "write",
    subject: { id, key },
    ledger: { id, revision },
    changes,
    ...told({ steps, changes, conflicts, counts }),
    apply: () => state.models.set(id, { ...after, revision: revision + 1 }),
  };
}

/** A document that was imported, with the objects of a new model that its objects became. */
export function importedAs(said: Source, model: object): RefImported {
  const document = structuredClone(said) as Body;
  const ids: string[] = [];
  const walk = (one: Body, other: Body, list: string): void => {
    for (const inner of listsIn(list)) {
      for (const object of one[inner] ?? []) {
        const made = other[inner].find(({ key }: Body) => key === object.key);
        // The reader gives what is not said its value.
        if (inner === "attributes") object.optional ??= false;
        ids.push(made.id);
        walk(object, made, inner);
      }
    }
  };
  walk(document, model as Body, "");
  return { document, ids };
}

function asImported({ document, ids }: RefImported): Imported {
  const copy = structuredClone(document) as Body;
  const known = everyIn(copy).flatMap((one, i) => (ids[i] ? [[one, ids[i]] as const] : []));
  return { document: copy, ids: new Map(known) };
}

/** The document of a model, as an answer sends it. */
function exported(model: RefModel, { tags }: Asked): Body {
  return JSON.parse(JSON.stringify(documentOf(model, tags)));
}

const TEXTS = ["name", "description", "properties", "origin", "documentationHome"];

/** A model once it is what came out of a merge, which made types, entities and tags and took away whatever it took away. */
function becoming(before: RefModel, { ...merged }: Body, ours: Body): RefModel {
  const after = structuredClone(before);
  const were = new Map([ours, ...everyIn(ours)].map((one) => [one.id, one]));
  const isLeft = new Set(everyIn(merged).map(({ id }) => id));
  const isThere = ({ id }: { readonly id: string }): boolean => isLeft.has(id);
  const texts = (object: object, said: Body): void => {
    for (const member of TEXTS) {
      const value = said[member] ?? undefined;
      if (value === undefined) Reflect.deleteProperty(object, member);
      else Reflect.set(object, member, member === "properties" ? inOrder(value) : value);
    }
  };
  const marks = (object: { id: string; tags: readonly string[]; globalTags: readonly string[] }, said: Body): void => {
    if (same(were.get(object.id)?.tags ?? [], said.tags ?? [])) return;
    const tags = merged.localTags.flatMap(({ id, key }: Body) => (said.tags?.includes(`key:${key}`) ? [id] : []));
    object.tags = tags.sort();
  };
  texts(after, merged);
  marks(after, merged);
  for (const list of ["types", "localTags", "entities", "relationships", "businessKeys"] as const) {
    const objects = after[list].filter(isThere) as unknown as Body[];
    const empty = list === "entities" ? { tags: [], globalTags: [], attributes: [], primaryKey: [] } : {};
    for (const said of merged[list] as Body[]) {
      const known = objects.find(({ id }) => id === said.id);
      const object = known ?? { id: said.id, ...empty };
      if (!known) objects.push(object);
      object.key = said.key;
      texts(object, said);
      if (object.tags) marks(object as RefModel, said);
      object.attributes = object.attributes?.filter(isThere);
      for (const one of object.attributes ?? [])
        marks(
          one,
          said.attributes.find(({ id }: Body) => id === one.id),
        );
      if (object.attributes === undefined) delete object.attributes;
      if (object.primaryKey) object.primaryKey = object.primaryKey.filter((id: string) => isThere({ id }));
      if (object.participants) object.participants = object.participants.filter((id: string) => isThere({ id }));
      if (object.roles) object.roles = object.roles.filter(isThere);
      if (object.roles && !same(were.get(object.id)?.keyPairs, said.keyPairs)) {
        const pairs = (object.keyPairs as string[][]).filter((pair) => pair.every((id) => isThere({ id })));
        if (said.keyPairs && pairs.length > 0) object.keyPairs = pairs;
        else delete object.keyPairs;
      }
    }
    // The objects are those of the list.
    Reflect.set(after, list, objects);
  }
  return after;
}

const inOrder = (value: object): object => ordered(value) as object;

/** The members of the answer beside those of every write. */
function told({
  steps,
  changes,
  conflicts,
  counts,
}: {
  readonly steps: number;
  readonly changes: readonly RefChange[];
  readonly conflicts: readonly string[];
  readonly counts: object;
}) {
  const plan = new Like("the name of a plan", (actual) =>
    /^[0-9a-f]{64}$/.test(String(actual)) ? undefined : "no name",
  );
  const stepCount = new Like(`steps for ${steps} changes`, (actual) =>
    Number(actual) > 0 === steps > 0 ? undefined : `${actual} steps, and ${changes.length} changes`,
  );
  const list = new Like("a list", (actual) => (Array.isArray(actual) ? undefined : "no list"));
  const shown = new Like(`the conflicts ${conflicts}`, (actual, differs) =>
    differs(conflicts, Array.isArray(actual) ? actual.map(formatConflict).sort() : actual),
  );
  return {
    extra: { counts, plan, stepCount, conflictCount: conflicts.length, recognised: RECOGNISED, warnings: [] },
    rehearsed: { steps: list, likelyRenames: list, conflicts: shown },
  };
}
