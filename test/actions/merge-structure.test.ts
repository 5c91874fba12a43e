import { expect, test } from "vitest";
import { computeTarget } from "../../shared/domain/apply/target.ts";
import { readObjects } from "../../shared/domain/document/read-document.ts";
import { toDocument } from "../../shared/domain/document/write-document.ts";
import { mergeDocuments } from "../../shared/domain/merge/merge.ts";
import { listObjects } from "../../shared/domain/merge/triples.ts";
import { type ModelContent, toModelContent } from "../../shared/domain/model/content.ts";
import { requireProblem } from "../../shared/domain/problems.ts";
import { sortDocument } from "../../shared/formats/document-order.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import { everyIn, type Imported, listsIn, type MatchedObject } from "../support/merge/matched-objects.ts";
import { type Outcome, placeOf, type ReferenceMerge, referenceMerge } from "../support/merge/reference-merge.ts";
import { listSlots, readerOf, same } from "../support/merge/slots.ts";
import type { Body } from "../support/world.ts";
import { aDocument } from "./support/apply-documents.ts";
import { changedDocument } from "./support/changed-document.ts";
import { newKey, useWorld } from "./support/checked-world.ts";

const LISTS: Readonly<Record<string, string>> = {
  ...{ type: "types", tag: "localTags", businessKey: "businessKeys", relationshipRole: "roles" },
  ...{ entityAttribute: "attributes", relationshipAttribute: "attributes" },
};
const HOLDERS = [
  ["entityKey", "entities"],
  ["relationshipKey", "relationships"],
] as const;
const OWN = ["typeKey", "tagKey", "businessKeyKey", "attributeKey", "roleKey"];

/** A conflict in an answer, in the words of the reference: its object, with the keys of its path, and the member. */
function formatConflict({ objectType, member, ...row }: Body): string {
  const holder = HOLDERS.flatMap(([name, list]) => (row[name] === undefined ? [] : [`${list} ${row[name]}`]));
  const own = OWN.flatMap((name) => (row[name] === undefined ? [] : [`${LISTS[objectType]} ${row[name]}`]));
  return `${[...holder, ...own].join(" ") || "model"}: ${member}`;
}

const world = useWorld();

const ROUNDS = countOfRun("METACTION_MERGED_ROUNDS", 40);
/** Rounds in which one model follows its source, before another one is drawn. */
const FOLLOWED = 6;

const withKnownIds = (model: Body, known: ReadonlySet<string>): Body =>
  JSON.parse(JSON.stringify(model, (name, value) => (name === "id" && !known.has(value) ? undefined : value)));

/** The ids of the objects of a source in the model, once it is there: those that are new have got one. */
function idsAfter({ model, ids }: Outcome, exported: Body): Imported["ids"] {
  const real = new Map<string, string>();
  const walk = (one: Body, other: Body, list: string): void => {
    real.set(one.id, other.id);
    for (const inner of listsIn(list)) {
      for (const object of one[inner])
        walk(object, other[inner].find(({ key }: Body) => key === object.key) ?? {}, inner);
    }
  };
  walk(model as Body, exported, "");
  return new Map([...ids].map(([object, id]) => [object, real.get(id) ?? ""]));
}

/** Nothing that one side wrote may be lost where it holds: its objects are there, and what it changed is as it changed it. */
function lost({ joined }: ReferenceMerge, holds: "ours" | "theirs", after: After): readonly string[] {
  const read = readerOf(joined);
  const byId = new Map(everyIn(after.model).map((one) => [one.id, one]));
  return joined.flatMap((one: MatchedObject) => {
    const { base, above } = one;
    const own = one[holds];
    if (!above || !own) return [];
    const object = byId.get(idIn(one, after));
    const wrote = listSlots(one).filter(
      (slot) => (base || own[slot] !== undefined) && !same(read(one, "base", slot), read(one, holds, slot)),
    );
    // Refs are keys, which the other side may have changed; the source may say that it renames what is new to it.
    const plain = wrote.filter((slot) =>
      [...(base ? ["key"] : []), "name", "description", "optional", "cardinality"].includes(slot),
    );
    if (wrote.length > 0 && !object) return [`${placeOf(one)} is gone`];
    return plain.flatMap((slot) => {
      const isLost = !same(read(one, holds, slot), object?.[slot]);
      return isLost && !(holds === "theirs" && own[slot] == null) ? [`${placeOf(one)} ${slot}`] : [];
    });
  });
}

/** The plain slots in which the models differ that come out where one side or the other holds, but for those told. */
function differsBeyond({ joined, conflicts }: ReferenceMerge, after: ReadonlyMap<string, After>): readonly string[] {
  const [ours, theirs] = [after.get("ours"), after.get("theirs")];
  if (!ours || !theirs) return [];
  const [inOurs, inTheirs] = [ours, theirs].map(
    ({ model }) => new Map([model, ...everyIn(model)].map((one) => [one.id, one] as const)),
  ) as [Map<string, Body>, Map<string, Body>];
  const told = new Set(conflicts);
  const isTold = (one: MatchedObject | undefined): boolean =>
    one !== undefined && (told.has(`${placeOf(one)}: null`) || isTold(one.above));
  return joined.flatMap((one) => {
    const [left, right] = [inOurs.get(idIn(one, ours)), inTheirs.get(idIn(one, theirs))];
    if (!left && !right) return [];
    if (!left || !right) return isTold(one) ? [] : [`${placeOf(one)} is in one alone`];
    return listSlots(one).flatMap((slot) => {
      if (["type", "entity", "primaryKey", "participants", "keyPairs", "tags", "attributes"].includes(slot)) return [];
      const [a, b] = [left, right].map((object) =>
        slot.startsWith("properties.") ? object.properties?.[slot.slice("properties.".length)] : object[slot],
      );
      return same(a, b) || told.has(`${placeOf(one)}: ${slot}`) ? [] : [`${placeOf(one)}: ${slot}`];
    });
  });
}

type After = { readonly model: Body; readonly ids: Imported["ids"] };

const idIn = ({ ours, theirs, above }: MatchedObject, { model, ids }: After): string =>
  above ? ((theirs && ids.get(theirs)) ?? ours?.id ?? "") : model.id;

/** A source in which some objects have an origin, that of the source itself or of another one. */
function withOrigins(source: Body, chance: Chance): Body {
  for (const one of everyIn(source)) {
    if (one.cardinality !== undefined) continue;
    if (chance.happens(0.1)) one.origin = `${chance.pick(["s", "t"])}#/${one.key}`;
    else if (chance.happens(0.05)) delete one.origin;
  }
  return source;
}

test(`whole models and their sources are merged as in the reference model, in ${ROUNDS} rounds`, async () => {
  const seed = seedOf("merged structures");
  const chance = createChance(seed * 6_151);
  const told = { conflicts: 0, merged: 0, refused: 0, members: new Set<string>() };
  for (let start = 0; start < ROUNDS; start += FOLLOWED) {
    await world.renew();
    let source = withOrigins(aDocument(chance, { key: newKey("merged"), saysAll: chance.happens(0.5) }), chance);
    const into = `id:${(await world.ok("model/import", { content: source, source: "s" })).body.id}`;
    const exported = (): Promise<Body> => world.read("model/model_export", { modelRef: into });
    const first = referenceMerge({
      ...{ base: undefined, theirs: source, label: "s", newId: () => crypto.randomUUID() },
      ours: { types: [], entities: [], relationships: [], businessKeys: [], localTags: [] },
    });
    let base: Imported | undefined = { document: source, ids: idsAfter(first.of("theirs"), await exported()) };
    for (let round = start; round < Math.min(start + FOLLOWED, ROUNDS); round++) {
      const label = `seed ${seed}, round ${round}`;
      const edits = { stays: 0.6 + 0.35 * chance.next(), keepsIds: true, saysAll: chance.happens(0.5) };
      const people = changedDocument(await exported(), chance, edits);
      await world
        .run("model/model_apply", { modelRef: into, content: people, prune: chance.happens(0.7) })
        .catch(requireProblem);
      const ours = await exported();
      const changes = { ...edits, keepsIds: false, saysAll: chance.happens(0.5) };
      source = withOrigins(changedDocument(source, chance, changes), chance);
      const known = new Set([ours.id, ...everyIn(ours).map(({ id }) => id)]);
      let made = 0;
      const expected = referenceMerge({ base, ours, theirs: source, label: "s", newId: () => `new ${made++}` });
      const payload = { content: source, into, source: "s" };
      const { revision } = (await world.ok("model/model_get", { modelRef: into })).body;
      const holding = chance.pick([
        ["ours", "theirs"],
        ["theirs", "ours"],
      ] as const);
      const afters = new Map<string, After>();
      for (const [i, onConflict] of holding.entries()) {
        const outcome = expected.of(onConflict);
        const at = `${label}, ${onConflict}`;
        const dry = await world
          .answer("model/import", { ...payload, onConflict }, world.people.admin, { dryRun: true })
          .catch(requireProblem);
        if (typeof outcome.model === "string" || "code" in dry) {
          expect("code" in dry ? dry.code : "merged", at).toBe(outcome.model);
          told.refused += 1;
          continue;
        }
        const { conflicts, conflictCount, stepCount } = dry.body as Body;
        expect(conflicts.map(formatConflict).sort(), at).toEqual(expected.conflicts);
        for (const one of expected.conflicts) told.members.add(one.replace(/ \S+(?=[ :])/g, ""));
        if (conflictCount > 0) {
          const { code } = await world.refused("model/import", payload);
          expect(["merge_conflict", "key_taken", "too_large"], at).toContain(code);
          expect(await exported(), at).toEqual(ours);
        }
        expect((await world.ok("model/import", { ...payload, onConflict })).body.stepCount, at).toBe(stepCount);
        const after = await exported();
        expect(withKnownIds(after, known), at).toEqual(withKnownIds(outcome.model, known));
        const ids = idsAfter(outcome, after);
        afters.set(onConflict, { model: after, ids });
        expect(lost(expected, onConflict, { model: after, ids }), at).toEqual([]);
        told.merged += 1;
        told.conflicts += conflictCount;
        expect((await world.ok("model/import", payload)).body, at).toMatchObject({ changed: false, stepCount: 0 });
        if (i === holding.length - 1) base = { document: source, ids };
        else {
          await world.ok("model/model_restore", { modelRef: into, revision });
          expect(await exported(), at).toEqual(ours);
        }
      }
      expect(differsBeyond(expected, afters), label).toEqual([]);
      // Where the last of the two was refused the source did not come in.
      if (base?.document !== source) break;
    }
  }
  console.log(JSON.stringify({ ...told, members: told.members.size }));
  expect(told.merged).toBeGreaterThan(ROUNDS);
}, 1_200_000);

test(`documents are merged as in the reference model, in ${10 * ROUNDS} rounds`, async () => {
  const seed = seedOf("merged documents");
  for (let round = 0; round < 10 * ROUNDS; round++) {
    const chance = createChance(seed * 7_907 + round);
    const label = `seed ${seed}, round ${round}`;
    const stays = 0.6 + 0.35 * chance.next();
    const newId = () => crypto.randomUUID();
    const ids = new Map();
    const sorted = (document: Body) => sortDocument(document as ReturnType<typeof sortDocument>);
    /** Exports the model that a document makes; its objects keep the ids that they have. */
    const stored = (made: ReturnType<typeof sortDocument>) => {
      for (const one of listObjects(made)) if (one.id !== undefined) ids.set(one, one.id);
      return toDocument(toModelContent(readObjects(made, newId, undefined, ids)) as ModelContent);
    };
    const document = sorted(withOrigins(aDocument(chance, { key: "m" }), chance));
    const imported = stored(document);
    const people = sorted(changedDocument(imported, chance, { stays, keepsIds: true }));
    const options = { label: "s", prune: true, nextId: newId, hasGlobalTag: () => false };
    const applied = await Promise.try(computeTarget, imported, people, options).catch(requireProblem);
    if ("code" in applied) continue;
    const ours = stored(applied);
    const { businessKeys, ...others } = sorted(withOrigins(changedDocument(document, chance, { stays }), chance));
    const theirs = { ...others, ...(chance.happens(0.8) && { businessKeys }) } as typeof ours;
    const base = chance.happens(0.8) ? { document, ids } : undefined;
    const idsOfBase = [...listObjects(document)].map((one) => ids.get(one));
    const sides = { base: base && { document, ids: idsOfBase }, ours, theirs };
    const expected = referenceMerge({ base, ours, theirs, label: "s", newId });
    for (const winner of ["ours", "theirs"] as const) {
      const { model } = expected.of(winner);
      const merge = () => mergeDocuments(sides, { ...options, winner });
      if (typeof model === "string") expect(merge, label).toThrow(expect.objectContaining({ code: model }));
      else {
        const { target, conflicts, findId } = merge();
        expect(conflicts.map(formatConflict).sort(), label).toEqual(expected.conflicts);
        const known = new Set([ours.id, ...everyIn(ours).map(({ id }) => id)]);
        const after = stored(target);
        expect(withKnownIds(after, known), label).toEqual(withKnownIds(model, known));
        const found = new Set([...listObjects(theirs)].flatMap((one) => findId(one) ?? []));
        expect(found.isSubsetOf(new Set([...listObjects(after)].map(({ id }) => id))), label).toBe(true);
      }
    }
  }
});
