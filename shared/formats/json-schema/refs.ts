import { escapePointerToken, splitPointer } from "../../domain/text/characters.ts";
import { findMember } from "../../domain/text/json-values.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";

/** A schema with its JSON pointer. */
export interface PlacedSchema {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/** Resolves a ref within one document. Nothing outside of it is fetched. */
export type FindSchema = (ref: string) => PlacedSchema | undefined;

/** Indexes JSON pointers, anchors and ids of a document. */
export function createSchemaFinder(root: JsonObject): FindSchema {
  const schemasById = new Map<string, PlacedSchema>();
  const anchors = new Map<string, PlacedSchema>();
  const index = (value: unknown, pointer: string) => {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) index(one, `${pointer}/${i}`);
    if (!isObject(value)) return;
    const { $id, $anchor } = value;
    if (typeof $anchor === "string") addFirst(anchors, $anchor, { schema: value, pointer });
    if (typeof $id === "string") addFirst(schemasById, $id, { schema: value, pointer });
    for (const [member, item] of Object.entries(value)) index(item, `${pointer}/${escapePointerToken(member)}`);
  };
  index(root, "");
  const base = typeof root.$id === "string" ? root.$id.replace(/#.*$/, "") : undefined;
  return (ref) => {
    const [document, ...fragment] = ref.split("#");
    const localRef = base !== undefined && document === base && fragment.length > 0 ? ref.slice(base.length) : ref;
    if (localRef === "#" || localRef === "" || localRef === base) return { schema: root, pointer: "" };
    if (localRef.startsWith("#/")) return findAtPointer(root, localRef.slice(1));
    // Before draft 2019-09, ids of the form `#name` are anchors.
    if (localRef.startsWith("#")) return schemasById.get(localRef) ?? anchors.get(localRef.slice(1));
    const absoluteUrl = base === undefined ? undefined : URL.parse(localRef, base)?.href;
    return schemasById.get(localRef) ?? schemasById.get(absoluteUrl ?? localRef);
  };
}

function addFirst(schemas: Map<string, PlacedSchema>, name: string, schema: PlacedSchema) {
  if (!schemas.has(name)) schemas.set(name, schema);
}

function findAtPointer(root: JsonObject, fragment: string): PlacedSchema | undefined {
  const pointer = decodeFragment(fragment);
  if (pointer === undefined) return undefined;
  const value = findMember(root, splitPointer(pointer));
  return isObject(value) ? { schema: value, pointer } : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

export const ROOT_ITEMS = "/items";

/** Use of a schema by the operations of an API: clients only send it, or only receive it. */
export type SchemaUse = "requests" | "responses";

/** A named schema: a definition or the document itself. */
export interface NamedSchema extends PlacedSchema {
  readonly name: string;
  readonly use?: SchemaUse | undefined;
  /** True if it is a table even without properties. */
  readonly isTable?: true;
}

/** Depth of a nested schema, and pointers of the refs that led to it. */
export interface Within {
  readonly depth: number;
  readonly open: readonly string[];
}

/** A property of a table with its path. */
export interface Property {
  readonly name: string;
  readonly isPresent: boolean;
  readonly path: readonly string[];
  readonly raw: JsonObject;
  readonly diagnostics: Diagnostics;
  readonly within: Within;
}
