import type { AnyObject } from "../model/objects.ts";
import { parseStoredJson, toCanonicalJson } from "../text/json-values.ts";

/** Members that an undo never changes. */
const FIXED: ReadonlySet<string> = new Set(["kind", "id", "revision", "version", "authority"]);

/** Members that are sorted lists of ids, and those that are lists of objects with ids. */
const SETS: ReadonlySet<string> = new Set(["tags", "globalTags"]);
const LISTS: ReadonlySet<string> = new Set(["roles"]);
const TEXTS_OF_JSON: ReadonlySet<string> = new Set(["properties"]);

/** Former value of a slot, and the object that had it; undefined for an empty slot or an absent object. */
export interface FormerValue {
  readonly before: unknown;
  readonly image: AnyObject | undefined;
}

/** Lists the slots of a stored object: its members, and each property, tag and role on its own. */
export function* listSlots(object: AnyObject): Generator<readonly [name: string, value: unknown]> {
  for (const [name, value] of Object.entries(object)) {
    if (FIXED.has(name) || value === undefined) continue;
    if (TEXTS_OF_JSON.has(name)) {
      for (const [one, inner] of Object.entries(Object(parseStoredJson(value)))) yield [`${name}.${one}`, inner];
    } else if (SETS.has(name)) for (const id of value) yield [`${name}.${id}`, true];
    else if (LISTS.has(name)) for (const one of value) yield [`${name}.${one.id}`, one];
    else yield [name, value];
  }
}

/** Returns an object without the values of its slots, to which `setSlots` gives others. */
export function clearSlots(object: AnyObject): AnyObject {
  // An object of this kind again when its slots have values.
  return Object.fromEntries(Object.entries(object).filter(([name]) => FIXED.has(name))) as unknown as AnyObject;
}

/** Returns an object with its former values in some slots, of which the one that was written first is set last. */
export function setSlots(object: AnyObject, values: ReadonlyMap<string, FormerValue>): AnyObject {
  const members: Record<string, unknown> = { ...object };
  for (const [name, former] of [...values].reverse()) {
    const dot = name.indexOf(".");
    const member = dot < 0 ? name : name.slice(0, dot);
    const result = dot < 0 ? former.before : setPart(member, members[member], name.slice(dot + 1), former);
    if (result === undefined) delete members[member];
    else members[member] = result;
  }
  // The slots are those of the same object at another revision.
  return members as unknown as AnyObject;
}

function setPart(member: string, whole: unknown, part: string, { before: value, image }: FormerValue): unknown {
  if (TEXTS_OF_JSON.has(member)) {
    const { [part]: _, ...others } = Object(whole === undefined ? {} : parseStoredJson(String(whole)));
    const all = value === undefined ? others : { ...others, [part]: value };
    return Object.keys(all).length > 0 ? toCanonicalJson(all) : undefined;
  }
  if (SETS.has(member)) {
    const others = ((whole ?? []) as readonly string[]).filter((id) => id !== part);
    const ids = value === undefined ? others : [...others, part].sort();
    return ids.length > 0 ? ids : undefined;
  }
  const list = (whole ?? []) as readonly Part[];
  const index = list.findIndex(({ id }) => id === part);
  const others = list.filter(({ id }) => id !== part);
  if (value === undefined) return others;
  const former = ((image as Readonly<Record<string, unknown>> | undefined)?.[member] ?? []) as readonly Part[];
  return others.toSpliced(index < 0 ? findFormerIndex(others, part, former) : index, 0, value as Part);
}

interface Part {
  readonly id: string;
}

/** Finds the index of a part that comes back: after the last one that it followed, otherwise the start. */
function findFormerIndex(list: readonly Part[], part: string, former: readonly Part[]): number {
  const earlier = new Set(
    former
      .slice(
        0,
        former.findIndex(({ id }) => id === part),
      )
      .map(({ id }) => id),
  );
  return list.findLastIndex(({ id }) => earlier.has(id)) + 1;
}
