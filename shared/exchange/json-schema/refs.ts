import { pointerToken } from "../../domain/well-formed.ts";
import { isObject, type JsonObject } from "../json-object.ts";

/** A schema with its JSON pointer in the document. */
export interface Placed {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/** Finds what refs name within one document; nothing outside of it is ever looked for. */
export interface Refs {
  find(ref: string): Placed | undefined;
}

/** The refs of a document: JSON pointers, anchors, and ids of schemas in it. */
export function createRefs(root: JsonObject): Refs {
  const named = new Map<string, Placed>();
  const anchors = new Map<string, Placed>();
  const index = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) index(one, `${pointer}/${i}`);
    if (!isObject(value)) return;
    const { $id, $anchor } = value;
    if (typeof $anchor === "string") add(anchors, $anchor, { schema: value, pointer });
    if (typeof $id === "string") add(named, $id, { schema: value, pointer });
    for (const [member, inner] of Object.entries(value)) index(inner, `${pointer}/${pointerToken(member)}`);
  };
  index(root, "");
  const base = typeof root.$id === "string" ? root.$id.replace(/#.*$/, "") : undefined;
  return {
    find: (ref) => {
      const [document, ...fragment] = ref.split("#");
      const local = base !== undefined && document === base && fragment.length > 0 ? ref.slice(base.length) : ref;
      if (local === "#" || local === "" || local === base) return { schema: root, pointer: "" };
      if (local.startsWith("#/")) return atPointer(root, local.slice(1));
      // Drafts before 2019-09 have an id of the form of a fragment in the place of an anchor.
      return named.get(local) ?? (local.startsWith("#") ? anchors.get(local.slice(1)) : relative(local));
    },
  };

  /** A schema whose id is this one relative to that of the document. */
  function relative(ref: string): Placed | undefined {
    const whole = base === undefined ? undefined : URL.parse(ref, base)?.href;
    return whole === undefined ? undefined : named.get(whole);
  }
}

/** Takes down a schema under a name that none before it has. */
function add(schemas: Map<string, Placed>, name: string, schema: Placed): void {
  if (!schemas.has(name)) schemas.set(name, schema);
}

function atPointer(root: JsonObject, fragment: string): Placed | undefined {
  let value: unknown = root;
  const pointer = decoded(fragment);
  if (pointer === undefined) return undefined;
  for (const token of pointer.slice(1).split("/")) {
    const member = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as JsonObject)[member];
  }
  return isObject(value) ? { schema: value, pointer } : undefined;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
