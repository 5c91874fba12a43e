import type { ModelDocument } from "../document/document.ts";
import type { Field, RefsField } from "../fields/field.ts";
import { compareByKey } from "../model/content.ts";
import { Problem } from "../problems.ts";
import type { KeyPair } from "../refs.ts";
import {
  type DocumentObject,
  getList,
  getMember,
  indexByRef,
  isStated,
  type MatchedParts,
  matchParts,
  type Part,
  type PartOptions,
} from "./parts.ts";

/** How a model is to become what a document says. */
export interface TargetOptions extends PartOptions {
  /** True for a ref to a tag of a group, `key:<group>/<tag>`, that can be linked to; links to others are left out. */
  readonly hasGlobalTag: (ref: string) => boolean;
}

/**
 * The document of a model once it is what another document says of it. What that leaves out stays; objects that it lacks stay
 * too, unless they are pruned. Objects that both have keep their ids, others get new ones. The model keeps its key, version and
 * authority. `key_taken` and `still_used` where the two cannot go together.
 */
export function computeTarget(current: ModelDocument, wanted: ModelDocument, terms: TargetOptions): ModelDocument {
  const parts = matchParts(current, wanted, terms);
  const sides = { left: indexSide(current, parts), right: indexSide(wanted, parts) };
  const scope: Scope = { sides, hasGlobalTag: terms.hasGlobalTag };
  // The type of a document follows from the fields that the loop goes through.
  const document = writePart(parts.model, scope) as unknown as ModelDocument;
  const { version, authority, tagGroups } = current;
  return { ...document, $schema: current.$schema, version, authority, tagGroups };
}

type SideName = "left" | "right";

/** The parts that the refs of one document name. */
interface Side {
  readonly type: ReadonlyMap<string, Part | undefined>;
  readonly entity: ReadonlyMap<string, Part | undefined>;
  readonly tag: ReadonlyMap<string, Part | undefined>;
  /** The parts that attributes became, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, Part | undefined>>;
}

interface Scope {
  readonly sides: Readonly<Record<SideName, Side>>;
  readonly hasGlobalTag: (ref: string) => boolean;
}

function indexSide({ types, entities, localTags }: ModelDocument, { findPart: of }: MatchedParts): Side {
  const became = (objects: readonly DocumentObject[]) =>
    new Map([...indexByRef(objects)].map(([ref, one]): [string, Part | undefined] => [ref, of(one)]));
  return {
    type: became(types),
    entity: became(entities),
    tag: became(localTags),
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, became(attributes)])),
  };
}

function writePart(part: Part, scope: Scope): Record<string, unknown> {
  const document: Record<string, unknown> = { id: part.id, key: part.key };
  for (const [member, field] of Object.entries(part.fields)) {
    const value =
      field.is === "nested" || field.is === "children"
        ? writeList(part, member, scope)
        : computeValue(part, member, field, scope);
    if (value !== undefined) document[member] = value;
  }
  return document;
}

/** The objects in a list, those whose order says nothing by key. */
function writeList(part: Part, member: string, scope: Scope): unknown {
  const list = part.lists.get(member);
  if (!list) return undefined;
  rejectDuplicateKeys(list, member);
  const documents = list.map((one) => writePart(one, scope) as Record<string, unknown> & { readonly key: string });
  const field = part.fields[member];
  const isOrdered = field?.is === "children" && field.moved !== undefined;
  const all = isOrdered ? documents : documents.sort(compareByKey);
  if (field?.is === "nested" && all.length > field.count.most) {
    const { noun, most, nouns } = field.count;
    throw new Problem("too_large", `${part.key} would have ${all.length} ${nouns}; ${noun} has at most ${most}`);
  }
  return all;
}

/** Two objects of a list have the same key where the one is renamed to that of another which the document lacks. */
function rejectDuplicateKeys(list: readonly Part[], member: string): void {
  const first = new Map<string, Part>();
  for (const part of list) {
    const other = first.get(part.key);
    if (!other) first.set(part.key, part);
    else {
      const [renamed] = [part, other].flatMap(({ left }) => (left && left.key !== part.key ? [left.key] : []));
      const came =
        renamed === undefined ? "the document makes another" : `${JSON.stringify(renamed)} is to have its key`;
      throw new Problem(
        "key_taken",
        `${member}: ${JSON.stringify(part.key)} is in the model, not in the document, and ${came}; say in the document what becomes of it, or prune`,
      );
    }
  }
}

function computeValue(part: Part, member: string, field: Field, scope: Scope): unknown {
  const side: SideName = isStated(part.right, member) || !part.left ? "right" : "left";
  const holder = part[side];
  const value = getMember(holder, member);
  switch (field.is) {
    case "value":
      return value;
    case "json":
      return field.change ? value : mergeJson(part, member);
    case "ref":
      return resolveRef(part, member, String(value), scope.sides[side][field.to]);
    case "refs":
      return resolveAttributes(part, field, (value ?? []) as readonly string[], side, scope);
    case "pairs":
      return resolvePairs(part, field.of, (value ?? []) as readonly KeyPair[], side, scope);
    case "tags":
      return resolveTags((value ?? []) as readonly string[], side, scope);
    default:
      return undefined;
  }
}

/** A JSON object of which each member stands for itself: those of the document beside those of the model. */
function mergeJson({ left, right }: Part, member: string): unknown {
  const [before, after] = [left, right].map((one) => getMember(one, member) as object | undefined);
  if (right?.cleared?.includes(member)) return undefined;
  return before && after ? { ...before, ...after } : (after ?? before);
}

function resolveRef(part: Part, member: string, ref: string, targets: Side["type"]): string {
  const target = targets.get(ref);
  if (target) return `key:${target.key}`;
  throw new Problem(
    "still_used",
    `${ref.replace(/^key:/, "")} is not in the document, and ${formatPath(part)}, which stays, has it as its ${member}; keep it, or say what becomes of ${part.key}`,
  );
}

/** The keys on the way to an object of a model. */
function formatPath({ above, key }: Part): string {
  return above?.above ? `${formatPath(above)}.${key}` : key;
}

/** Refs to attributes; those that go are left out, as by their deletion. */
function resolveAttributes(
  part: Part,
  { of }: RefsField,
  refs: readonly string[],
  side: SideName,
  scope: Scope,
): unknown {
  const holder = part[side];
  const entity = of === "itself" ? `key:${holder?.key}` : String(getMember(holder, of));
  const attributes = scope.sides[side].attributes.get(entity);
  const owner = of === "itself" ? part : scope.sides[side].entity.get(entity);
  return refs.flatMap((ref) => {
    const attribute = attributes?.get(ref);
    return attribute && attribute.above === owner ? [`key:${attribute.key}`] : [];
  });
}

/** Pairs of attributes in the order of the keys of two roles; a pair of other entities than theirs joins nothing. */
function resolvePairs(part: Part, member: string, pairs: readonly KeyPair[], side: SideName, scope: Scope): unknown {
  const said = getList(part[side], member);
  const roles = [...(part.lists.get(member) ?? [])].sort(compareByKey);
  if (roles.length !== 2) return undefined;
  const { attributes } = scope.sides[side];
  const joined = pairs.flatMap((pair) => {
    const found = roles.map((role) => {
      const at = said.indexOf(role[side] as DocumentObject);
      const attribute = attributes.get(String(getMember(said[at], "entity")))?.get(pair[at] ?? "");
      return attribute && attribute.above === findRoleEntity(role, scope) ? [`key:${attribute.key}`] : [];
    });
    return found.every((ref) => ref.length === 1) ? [found.flat()] : [];
  });
  return joined.length > 0 ? joined : undefined;
}

/** The entity that a role is to have. */
function findRoleEntity(role: Part, { sides }: Scope): Part | undefined {
  const side: SideName = isStated(role.right, "entity") ? "right" : "left";
  return sides[side].entity.get(String(getMember(role[side], "entity")));
}

/** Links to tags; those to tags that go, or that nobody may make, are left out. */
function resolveTags(refs: readonly string[], side: SideName, { sides, hasGlobalTag }: Scope): unknown {
  const links = refs.flatMap((ref) => {
    if (ref.includes("/")) return hasGlobalTag(ref) ? [ref] : [];
    const tag = sides[side].tag.get(ref);
    return tag ? [`key:${tag.key}`] : [];
  });
  return links.length > 0 ? links.sort() : undefined;
}
