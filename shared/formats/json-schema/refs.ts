import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";

/** A schema with its JSON pointer in the document. */
export interface PlacedSchema {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/** Finds what refs name within one document; nothing outside of it is ever looked for. */
export interface SchemaRefs {
  find(ref: string): PlacedSchema | undefined;
}

/** The refs of a document: JSON pointers, anchors, and ids of schemas in it. */
export function createSchemaRefs(root: JsonObject): SchemaRefs {
  const named = new Map<string, PlacedSchema>();
  const anchors = new Map<string, PlacedSchema>();
  const index = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) index(one, `${pointer}/${i}`);
    if (!isObject(value)) return;
    const { $id, $anchor } = value;
    if (typeof $anchor === "string") addFirst(anchors, $anchor, { schema: value, pointer });
    if (typeof $id === "string") addFirst(named, $id, { schema: value, pointer });
    for (const [member, inner] of Object.entries(value)) index(inner, `${pointer}/${escapePointerToken(member)}`);
  };
  index(root, "");
  const base = typeof root.$id === "string" ? root.$id.replace(/#.*$/, "") : undefined;
  return {
    find: (ref) => {
      const [document, ...fragment] = ref.split("#");
      const local = base !== undefined && document === base && fragment.length > 0 ? ref.slice(base.length) : ref;
      if (local === "#" || local === "" || local === base) return { schema: root, pointer: "" };
      if (local.startsWith("#/")) return findAtPointer(root, local.slice(1));
      // Drafts before 2019-09 have an id of the form of a fragment in the place of an anchor.
      return named.get(local) ?? (local.startsWith("#") ? anchors.get(local.slice(1)) : relative(local));
    },
  };

  /** A schema whose id is this one relative to that of the document. */
  function relative(ref: string): PlacedSchema | undefined {
    const whole = base === undefined ? undefined : URL.parse(ref, base)?.href;
    return whole === undefined ? undefined : named.get(whole);
  }
}

/** Takes down a schema under a name that none before it has. */
function addFirst(schemas: Map<string, PlacedSchema>, name: string, schema: PlacedSchema): void {
  if (!schemas.has(name)) schemas.set(name, schema);
}

function findAtPointer(root: JsonObject, fragment: string): PlacedSchema | undefined {
  let value: unknown = root;
  const pointer = decodeFragment(fragment);
  if (pointer === undefined) return undefined;
  for (const token of pointer.slice(1).split("/")) {
    const member = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as JsonObject)[member];
  }
  return isObject(value) ? { schema: value, pointer } : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The pointer of the items of a document that describes a list. */
export const ROOT_ITEMS = "/items";

/** A schema that has a name: a definition, or the document itself. */
export interface NamedSchema extends PlacedSchema {
  readonly name: string;
}

/** The schemas around a place: how many, and the pointers of those that refs led to. */
export interface Within {
  readonly depth: number;
  readonly open: readonly string[];
}

/** A property of a table, by its path from it. */
export interface Property {
  readonly name: string;
  readonly isPresent: boolean;
  readonly path: readonly string[];
  /** As it stands, before refs are followed. */
  readonly raw: JsonObject;
  readonly diagnostics: Diagnostics;
  readonly within: Within;
}
