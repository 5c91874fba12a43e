import type { Tagged } from "../../domain/objects.ts";
import { idKey } from "../items.ts";
import { generationName, type ItemKey, kindPrefix, STAGINGS, SWEEPS, TAGS } from "../keys.ts";
import { itemsOf } from "../pages.ts";
import { FORMAT, type Item, type Seam } from "../seam.ts";
import { stagingOf } from "../stagings.ts";
import { sweepNoteOf } from "../sweep-notes.ts";
import { tagIdsOf, useKeyOf } from "../tag-uses.ts";
import { type Finding, remove } from "./finding.ts";
import { byLog, type Ground, type Place } from "./ground.ts";

/** One item that leads from a tag to what it marks. */
interface Use {
  readonly tag: string;
  readonly model: string;
  readonly generation: string;
  readonly object: string;
}

/** The model that a use leads into. */
export function modelOfUse({ sk }: Item): string {
  return sk.split("#")[0] ?? "";
}

function useOf({ pk, sk }: ItemKey): Use {
  const [model = "", generation = "", object = ""] = sk.split("#");
  return { tag: pk.slice(pk.indexOf("#") + 1), model, generation, object };
}

/** Keys one batch of reads may hold; the limit of BatchGetItem. */
const BATCH = 100;

/**
 * Places of uses that are not as the log gives them, at first sight: missing ones of living objects, and among those that
 * are stored, ones that lead nowhere. `global` are the ids of the global tags there were a moment ago.
 */
export async function doubtfulUses(
  ground: Ground,
  stored: readonly Item[],
  global: ReadonlySet<string>,
): Promise<Place[]> {
  const place = { model: ground.model, generation: ground.head.generation };
  const wanted = [...ground.objects.values()].flatMap((object) =>
    tagIdsOf(object)
      .filter((tag) => marks(ground, object.id, tag))
      .map((tag) => useKeyOf(place, object.id, tag)),
  );
  const doubtful = new Map<string, Place>();
  const doubt = (key: ItemKey): void => {
    const judge = (item: Item | undefined) => (item ? judgeStored(ground, item, global) : judgeMissing(ground, key));
    doubtful.set(`${key.pk} ${key.sk}`, { key, judge });
  };
  for (let at = 0; at < wanted.length; at += BATCH) {
    const keys = wanted.slice(at, at + BATCH);
    const there = new Set((await ground.seam.batchGet(keys)).map(({ pk, sk }) => `${pk} ${sk}`));
    for (const key of keys) if (!there.has(`${key.pk} ${key.sk}`)) doubt(key);
  }
  for (const item of stored) if (judgeStored(ground, item, global).length > 0) doubt({ pk: item.pk, sk: item.sk });
  return [...doubtful.values()];
}

/** True for a mark of an object that a use has to lead to: of a tag of the model that is there, or of any global one. */
function marks({ byId }: Ground, object: string, tag: string): boolean {
  // Kinds that cannot be marked have neither field.
  const { tags = [], globalTags = [] } = (byId.get(object) ?? {}) as Tagged;
  return globalTags.includes(tag) || (tags.includes(tag) && byId.get(tag)?.kind === "tag");
}

function judgeMissing(ground: Ground, key: ItemKey): Finding[] {
  const { tag, generation, object } = useOf(key);
  if (generation !== ground.head.generation || !marks(ground, object, tag)) return [];
  const sentence = `nothing leads from the tag ${tag} to ${object}, which it marks`;
  const write = { put: { ...key, v: FORMAT }, expect: { absent: true } } as const;
  return [{ code: "use-missing", place: key, sentence, mend: byLog(ground, "It is written.", write) }];
}

function judgeStored(ground: Ground, item: Item, global: ReadonlySet<string>): Finding[] {
  const { tag, generation, object } = useOf(item);
  const place = { pk: item.pk, sk: item.sk };
  const mend = byLog(ground, "It is deleted.", remove(item));
  const lives = ground.head.state === "live" && generation === ground.head.generation;
  if (!lives || !tagIdsOf(ground.byId.get(object)).includes(tag)) {
    const sentence = `the tag ${tag} leads to ${object} in the generation ${generation}, which it does not mark`;
    return [{ code: "use-unexpected", place, sentence, mend }];
  }
  if (ground.byId.has(tag) || global.has(tag)) return [];
  const sentence = `the tag ${tag} leads to ${object}, but it is gone, and no sweep is noted for it`;
  return [{ code: "use-orphaned", place, sentence, mend }];
}

/**
 * Those of the findings that still hold by what lies outside the model: global tags that came or went meanwhile, and what
 * is going to be swept, all asked now.
 */
export async function settledUses(ground: Ground, findings: readonly Finding[]): Promise<Finding[]> {
  const { seam, byId } = ground;
  let pending: ((use: Use) => boolean) | undefined;
  const holds = async ({ code, place }: Finding): Promise<boolean> => {
    const use = useOf(place);
    if (code === "use-missing") return byId.has(use.tag) || isGlobalTag(seam, use.tag);
    if (code !== "use-unexpected" && code !== "use-orphaned") return true;
    if (code === "use-orphaned" && (await isGlobalTag(seam, use.tag))) return false;
    pending ??= await sweepsPending(seam);
    return !pending(use);
  };
  const settled: Finding[] = [];
  for (const finding of findings) if (await holds(finding)) settled.push(finding);
  return settled;
}

async function isGlobalTag(seam: Seam, id: string): Promise<boolean> {
  const at = (await seam.get(idKey(TAGS, id)))?.at;
  const prefix = kindPrefix("global_tag");
  if (typeof at !== "string" || !at.startsWith(prefix)) return false;
  return (await seam.get(idKey(TAGS, at.slice(prefix.length).split("#")[0] ?? ""))) !== undefined;
}

/** Tells of a use whether the sweeper, or whoever still writes its generation, will see to it. */
async function sweepsPending(seam: Seam): Promise<(use: Use) => boolean> {
  const generations = new Set<string>();
  const owners = new Set<string>();
  for await (const item of itemsOf(seam, { pk: STAGINGS })) {
    const { model, generation, state } = stagingOf(item);
    if (state !== "published") generations.add(generationName(model, generation));
  }
  let ofTags = false;
  for await (const item of itemsOf(seam, { pk: SWEEPS })) {
    const { model, generation, owner } = sweepNoteOf(item);
    generations.add(generationName(model, generation));
    if (owner !== undefined) owners.add(owner);
    ofTags ||= model === TAGS.model;
  }
  // A group takes its tags with it, and which those were nobody can tell any more.
  return ({ tag, model, generation }) =>
    ofTags || owners.has(tag) || generations.has(generationName(model, generation));
}
