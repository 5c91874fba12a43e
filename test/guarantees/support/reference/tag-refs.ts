/** The parts of a ref to a tag: an id, or a key with the group or the model it is of. */
export interface TagName {
  readonly id?: string;
  readonly key?: string;
  readonly group?: string;
  /** Id of the model, where it is said. */
  readonly model?: string;
}

const TAG_KEY = /^[A-Za-z0-9_-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isTagKey = (text: string): boolean => TAG_KEY.test(text);

/** Contract section 2: `id:<uuid>`, `key:<group>/<tag>`, `key:<tag>`, and the two forms of the ancestor. */
export function tagName(ref: string): TagName | undefined {
  if (ref.startsWith("id:")) return UUID.test(ref.slice(3)) ? { id: ref.slice(3).toLowerCase() } : undefined;
  if (!ref.startsWith("key:")) return undefined;
  const parts = ref.slice(4).split("/");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length === 1) return isTagKey(first) ? { key: first } : undefined;
  if (parts.length === 2) return isTagKey(first) && isTagKey(second) ? { group: first, key: second } : undefined;
  if (parts.length !== 3 || !isTagKey(third)) return undefined;
  if (first === "global") return isTagKey(second) ? { group: second, key: third } : undefined;
  return first === "model" && UUID.test(second) ? { model: second.toLowerCase(), key: third } : undefined;
}

/** The ways in which a sentence may name the tag that is not there. */
export function spellings(ref: string): readonly string[] {
  const { id, key, group, model } = tagName(ref) ?? {};
  if (id !== undefined) return [`id:${id}`];
  return [ref, group !== undefined ? `key:${group}/${key}` : model !== undefined ? `key:model/${model}/${key}` : ref];
}
