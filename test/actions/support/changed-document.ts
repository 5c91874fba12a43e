import type { Chance } from "../../support/chance.ts";
import type { Body } from "../../support/world.ts";
import { aDocument } from "./apply-documents.ts";

export interface Changing {
  /** How much of it stays, from 0 to 1. */
  readonly stays: number;
  /** True where objects keep the ids that they have, which tells a rename from a delete. */
  readonly keepsIds?: boolean;
  readonly saysAll?: boolean;
}

/** A document after some changes: objects come, go and move, get other keys and other members; refs lead to what is there. */
export function changedDocument(before: Body, chance: Chance, { stays, keepsIds, saysAll = false }: Changing): Body {
  const fresh = aDocument(chance, { key: before.key, saysAll });
  const sharesOf = (object: Body, old: Body, isValid: (member: string) => boolean): Body => {
    const kept = Object.keys({ ...object, ...old }).filter(
      (member) => !["id", "key", "renamedFrom"].includes(member) && isValid(member) && chance.happens(stays),
    );
    const renamed = old.key !== object.key && { renamedFrom: old.key };
    const { renamedFrom: _, ...own } = object;
    const made = { ...own, ...renamed, ...(keepsIds && old.id !== undefined && { id: old.id }) };
    for (const member of kept) {
      if (old[member] === undefined) delete made[member];
      else made[member] = old[member];
    }
    return made;
  };
  /** The objects of a list: most of those that were there, and some others. */
  const listOf = (was: readonly Body[], is: readonly Body[], validOf: (old: Body) => (member: string) => boolean) => {
    const made: Body[] = [];
    const isFree = (key: string) => !made.some((one) => one.key === key);
    for (const old of was) {
      if (!chance.happens(stays)) continue;
      const other = is.find(({ key }) => key === old.key) ?? chance.pick([...is, old]);
      const key = chance.happens(0.9) || !isFree(other.key) ? old.key : other.key;
      if (isFree(key)) made.push(sharesOf({ ...other, key }, old, validOf(old)));
    }
    for (const one of is) if (isFree(one.key) && chance.happens(1 - stays)) made.push(one);
    return made;
  };
  const always = () => () => true;
  const refsOf = (list: readonly Body[]): ReadonlySet<string> => new Set(list.map(({ key }) => `key:${key}`));
  const types = listOf(before.types, fresh.types, always);
  if (types.length === 0) types.push({ key: "text" });
  const localTags = listOf(before.localTags, fresh.localTags, always);
  const [typeRefs, tagRefs] = [refsOf(types), refsOf(localTags)];
  const marked = (one: Body): Body =>
    Array.isArray(one.tags) ? { ...one, tags: one.tags.filter((tag: string) => tagRefs.has(tag)) } : one;
  const attributes = (was: readonly Body[], is: readonly Body[]) =>
    listOf(was, is, always).map((one) =>
      marked(typeRefs.has(one.type) ? one : { ...one, type: chance.pick([...typeRefs]) }),
    );
  const holders = (list: string) =>
    listOf(before[list], fresh[list], () => (member) => member !== "attributes" && member !== "roles").map((one) => {
      const old = before[list].find(({ key }: Body) => [one.key, one.renamedFrom].includes(key));
      return marked({ ...one, attributes: attributes(old?.attributes ?? [], one.attributes) });
    });
  const entities = holders("entities").map((one): Body => {
    const refs = refsOf(one.attributes);
    return { ...one, primaryKey: (one.primaryKey ?? []).filter((ref: string) => refs.has(ref)) };
  });
  const entityRefs = refsOf(entities);
  const attributesOf = (ref: unknown) => refsOf(entities.find(({ key }) => `key:${key}` === ref)?.attributes ?? []);
  const relationships = holders("relationships").flatMap((one): Body[] => {
    const old = before.relationships.find(({ key }: Body) => [one.key, one.renamedFrom].includes(key));
    const drawn = listOf(old?.roles ?? [], one.roles, always).filter(({ entity }) => entityRefs.has(entity));
    const roles = drawn.length < 2 ? one.roles.filter(({ entity }: Body) => entityRefs.has(entity)) : drawn;
    if (roles.length < 2) return [];
    const sides = roles.map(({ entity }: Body) => attributesOf(entity));
    const pairs = (one.keyPairs ?? []).filter(
      (pair: readonly string[]) => roles.length === 2 && pair.every((ref, i) => sides[i]?.has(ref)),
    );
    const { keyPairs: _, ...others } = one;
    return [{ ...others, roles, ...(pairs.length > 0 ? { keyPairs: pairs } : saysAll && { keyPairs: null }) }];
  });
  const businessKeys = listOf(before.businessKeys, fresh.businessKeys, always).flatMap((one): Body[] => {
    const refs = attributesOf(one.entity);
    if (!entityRefs.has(one.entity)) return [];
    return [{ ...one, participants: one.participants.filter((ref: string) => refs.has(ref)) }];
  });
  const own = sharesOf(fresh, before, (member) => !Array.isArray(before[member]) || member === "tags");
  // No object is in two documents.
  return JSON.parse(JSON.stringify({ ...marked(own), types, entities, relationships, businessKeys, localTags }));
}
