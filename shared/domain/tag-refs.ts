import { isTagKey, TAG_KEY_PATTERN } from "./keys.ts";
import { parseRef, type Ref, UUID_PATTERN } from "./refs.ts";

const OF_MODEL = `model/${UUID_PATTERN}/${TAG_KEY_PATTERN}`;
const GLOBAL = `(global/)?${TAG_KEY_PATTERN}/${TAG_KEY_PATTERN}`;

/** Patterns of the text behind `key:` in a ref to a tag: of one of a model, of a global one, of either; the older forms too. */
export const TAG_REF_PATTERNS = {
  local: `${TAG_KEY_PATTERN}|${OF_MODEL}`,
  global: GLOBAL,
  any: `${TAG_KEY_PATTERN}|${OF_MODEL}|${GLOBAL}`,
  /** Patterns of refs to a tag of either sort that say of which model or group it is. */
  placed: `${OF_MODEL}|${GLOBAL}`,
} as const;

const FORMS = "write id:<uuid>, key:<group>/<tag> or key:<tag>";

/**
 * Reads a ref to a tag, whose key has two parts where the tag is global: `id:<uuid>`, `key:<group>/<tag>`, `key:<tag>`,
 * and the older `key:global/<group>/<tag>` and `key:model/<model uuid>/<tag>`. A sentence when it is none of them.
 */
export function parseTagRef(text: string): Ref | string {
  const ref = parseRef(text);
  if (typeof ref === "string" || ref.scheme === "id") return ref;
  const parts = ref.value.split("/");
  const key = parts.at(-1) ?? "";
  const above = parts.slice(0, -1);
  const fault = `"${text}" is no ref to a tag; ${FORMS}`;
  if (!isTagKey(key)) return fault;
  const [first = "", second = ""] = above;
  if (above.length === 0) return { scheme: "key", value: key };
  if (above.length === 1) return isTagKey(first) ? { scheme: "key", value: key, group: first } : fault;
  if (above.length > 2) return fault;
  if (first === "global") return isTagKey(second) ? { scheme: "key", value: key, group: second } : fault;
  const model = first === "model" ? parseRef(`id:${second}`) : fault;
  return typeof model === "string" ? fault : { scheme: "key", value: key, model: model.value };
}
