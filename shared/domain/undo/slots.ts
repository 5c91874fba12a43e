import type { AnyObject } from "../model/objects.ts";
import { parseStoredJson, toCanonicalJson } from "../text/json-values.ts";

/** Members that an undo never changes. */
const FIXED: ReadonlySet<string> = new Set(["kind", "id", "revision", "version", "authority"]);

/** Members that are lists of ids, and those that are lists of objects with ids. */
const SETS: ReadonlySet<string> = new Set(["tags", "globalTags"]);
const LISTS: ReadonlySet<string> = new Set(["roles"]);
const TEXTS_OF_JSON: ReadonlySet<string> = new Set(["properties"]);

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

/** Returns an object with other values in some slots; undefined empties one. */
export function setSlots(object: AnyObject, values: ReadonlyMap<string, unknown>): AnyObject {
  if (values.size === 0) return object;
  const members: Record<string, unknown> = { ...object };
  for (const [name, value] of values) {
    const dot = name.indexOf(".");
    const member = dot < 0 ? name : name.slice(0, dot);
    const result = dot < 0 ? value : setPart(member, members[member], name.slice(dot + 1), value);
    if (result === undefined) delete members[member];
    else members[member] = result;
  }
  // The slots are those of the same object at another revision.
  return members as unknown as AnyObject;
}

function setPart(member: string, whole: unknown, part: string, value: unknown): unknown {
  if (TEXTS_OF_JSON.has(member)) {
    const { [part]: _, ...others } = Object(whole === undefined ? {} : parseStoredJson(String(whole)));
    const all = value === undefined ? others : { ...others, [part]: value };
    return Object.keys(all).length > 0 ? toCanonicalJson(all) : undefined;
  }
  const list = (whole ?? []) as readonly unknown[];
  if (SETS.has(member)) {
    const others = list.filter((id) => id !== part);
    const ids = value === undefined ? others : [...others, part];
    return ids.length > 0 ? ids : undefined;
  }
  const isPart = (one: unknown) => (one as { readonly id: string }).id === part;
  if (value === undefined) return list.filter((one) => !isPart(one));
  return list.some(isPart) ? list.map((one) => (isPart(one) ? value : one)) : [...list, value];
}
