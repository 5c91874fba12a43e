import { getEntityRef, getList, getMember, indexRefs, isStated, type RefIndex } from "../compare/document-members.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Field, RefsField } from "../fields/field.ts";
import { compareByKey } from "../model/content.ts";
import { Problem } from "../problems.ts";
import type { KeyPair } from "../refs.ts";
import { checkCount, matchParts, type Part, type PartOptions } from "./parts.ts";

interface TargetOptions extends PartOptions {
  /** Tests whether the global tag of a ref `key:<group>/<tag>` can be linked to; other links are omitted. */
  readonly hasGlobalTag: (ref: string) => boolean;
}

/** Applies a document to a model; objects it lacks stay unless pruned. Throws `key_taken` and `still_used`. */
export function computeTarget(current: ModelDocument, target: ModelDocument, terms: TargetOptions): ModelDocument {
  const parts = matchParts(current, target, terms);
  const sides = { left: indexRefs(current, parts.findPart), right: indexRefs(target, parts.findPart) };
  const scope: Scope = { sides, hasGlobalTag: terms.hasGlobalTag };
  // The type of a document follows from its fields.
  const document = writePart(parts.model, scope) as unknown as ModelDocument;
  const { version, authority, tagGroups } = current;
  return { ...document, $schema: current.$schema, version, authority, tagGroups };
}

type SideName = "left" | "right";

interface Scope {
  readonly sides: Readonly<Record<SideName, RefIndex<Part | undefined>>>;
  readonly hasGlobalTag: (ref: string) => boolean;
}

function writePart(part: Part, scope: Scope): Record<string, unknown> {
  const document: Record<string, unknown> = { id: part.id, key: part.key };
  for (const [member, field] of Object.entries(part.fields)) {
    const value =
      field.is === "nested" || field.is === "children"
        ? writeList(part, member, field, scope)
        : computeValue(part, member, field, scope);
    if (value !== undefined) document[member] = value;
  }
  return document;
}

function writeList(part: Part, member: string, field: Field, scope: Scope): unknown {
  const list = part.lists.get(member);
  if (!list) return undefined;
  rejectDuplicateKeys(list, member);
  const documents = list.map((one) => writePart(one, scope) as Record<string, unknown> & { readonly key: string });
  checkCount(part.key, documents.length, field);
  return field.is === "children" && field.move ? documents : documents.sort(compareByKey);
}

function rejectDuplicateKeys(list: readonly Part[], member: string): void {
  const first = new Map<string, Part>();
  for (const part of list) {
    const other = first.get(part.key);
    if (!other) first.set(part.key, part);
    else {
      // Without a rename, equal keys match.
      const oldKey = [part, other].map(({ left }) => getMember(left, "key")).find((key) => key !== part.key);
      throw new Problem(
        "key_taken",
        `Key conflict in ${member}: ${JSON.stringify(part.key)} is in the model but not in the document, and the document renames ${JSON.stringify(oldKey)} to it. Add it to the document, or prune.`,
      );
    }
  }
}

function computeValue(part: Part, member: string, field: Field, scope: Scope): unknown {
  const side: SideName = isStated(part.right, member) || !part.left ? "right" : "left";
  const holder = part[side];
  const value = getMember(holder, member);
  switch (field.is) {
    case "json":
      return field.change ? value : mergeJson(part, member);
    case "ref":
      if (value === undefined) throw createNoRefProblem(part, member);
      return resolveRef(part, member, String(value), scope.sides[side][field.to]);
    case "refs":
      return resolveAttributes(part, field, (value ?? []) as readonly string[], side, scope);
    case "pairs":
      return resolvePairs(part, field.of, (value ?? []) as readonly KeyPair[], side, scope);
    case "tags":
      return resolveTags((value ?? []) as readonly string[], side, scope);
    // Documents contain no internal members.
    default:
      return value;
  }
}

function mergeJson({ left, right }: Part, member: string): unknown {
  const [before, after] = [left, right].map((one) => getMember(one, member) as object | undefined);
  if (right?.cleared?.includes(member)) return undefined;
  return before && after ? { ...before, ...after } : (after ?? before);
}

function resolveRef(part: Part, member: string, ref: string, targets: ReadonlyMap<string, Part | undefined>): string {
  const target = targets.get(ref);
  if (target) return `key:${target.key}`;
  throw new Problem(
    "still_used",
    `Cannot delete ${ref.replace(/^key:/, "")}: ${formatPath(part)} still uses it as ${member}. Keep it, or change or delete ${part.key} in the document as well.`,
  );
}

function createNoRefProblem(part: Part, member: string): Problem {
  return new Problem("invalid_content", `${formatPath(part)} is not in the model, so it needs the member ${member}`);
}

function formatPath({ above, key }: Part): string {
  return above?.above ? `${formatPath(above)}.${key}` : key;
}

function resolveAttributes(
  part: Part,
  { of }: RefsField,
  refs: readonly string[],
  side: SideName,
  scope: Scope,
): unknown {
  const attributes = scope.sides[side].attributes.get(getEntityRef(part[side], of));
  return refs.flatMap((ref) => {
    const attribute = attributes?.get(ref);
    return attribute ? [`key:${attribute.key}`] : [];
  });
}

/** Resolves pairs of attributes in the order of the two roles' keys. Omits pairs with attributes of other entities. */
function resolvePairs(part: Part, member: string, pairs: readonly KeyPair[], side: SideName, scope: Scope): unknown {
  const roleObjects = getList(part[side], member);
  const roles = [...(part.lists.get(member) ?? [])].sort(compareByKey);
  if (roles.length !== 2) return undefined;
  const { attributes } = scope.sides[side];
  const result = pairs.flatMap((pair) => {
    const refs = roles.map((role) => {
      const own = role[side];
      const at = own ? roleObjects.indexOf(own) : -1;
      const attribute = attributes.get(getEntityRef(roleObjects[at], "entity"))?.get(pair[at] ?? "");
      return attribute && attribute.above === findRoleEntity(role, scope) ? [`key:${attribute.key}`] : [];
    });
    return refs.every((ref) => ref.length === 1) ? [refs.flat()] : [];
  });
  return result.length > 0 ? result : undefined;
}

function findRoleEntity(role: Part, { sides }: Scope): Part | undefined {
  const side: SideName = isStated(role.right, "entity") ? "right" : "left";
  return sides[side].entity.get(getEntityRef(role[side], "entity"));
}

function resolveTags(refs: readonly string[], side: SideName, { sides, hasGlobalTag }: Scope): unknown {
  const links = refs.flatMap((ref) => {
    if (ref.includes("/")) return hasGlobalTag(ref) ? [ref] : [];
    const tag = sides[side].tag.get(ref);
    return tag ? [`key:${tag.key}`] : [];
  });
  return links.length > 0 ? links.sort() : undefined;
}
