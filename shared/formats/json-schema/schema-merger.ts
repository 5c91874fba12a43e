import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { SourceSize } from "../common/document-size.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import type { FindSchema, PlacedSchema } from "./refs.ts";

/** A schema with its refs and `allOf` merged. */
export interface MergedSchema {
  readonly schema: JsonObject;
  /** Pointer of the definition that the schema refers to without changing it. */
  readonly definition?: string;
  readonly isNullable: boolean;
  /** Ref that leads out of the document or forms a cycle. */
  readonly badRef?: string | undefined;
}

/** Members that may accompany a `$ref` without changing its type: texts and constraints. */
const ANNOTATIONS = new Set<string>([
  ...KEYWORD_NAMES,
  ..."$ref title description default examples example deprecated readOnly writeOnly nullable $comment".split(" "),
]);

/** Merges the schemas of one document, each definition once. Throws `too_large` when refs make it copy too many members. */
export class SchemaMerger {
  readonly #findSchema: FindSchema;
  readonly #merged = new Map<string, MergedSchema>();
  readonly #size: SourceSize;
  #propertyCount = 0;
  #copiedMembers = 0;

  constructor(findSchema: FindSchema, size: SourceSize) {
    this.#size = size;
    this.#findSchema = findSchema;
  }

  merge(schema: JsonObject): MergedSchema {
    return this.#merge(schema, NO_POINTERS);
  }

  /** Merges a definition after those that it needs. A loop avoids a stack overflow for long chains of refs. */
  mergeDefinition(definition: PlacedSchema): MergedSchema {
    const open = new Set<string>();
    const stack = [definition];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { schema, pointer } = top;
      const isNew = !this.#merged.has(pointer) && !open.has(pointer);
      const missingTargets = isNew ? this.findTargets(schema).filter((one) => this.#isMissing(one, open)) : [];
      if (missingTargets.length > 0) {
        open.add(pointer);
        for (const one of missingTargets.toReversed()) stack.push(one);
        continue;
      }
      stack.pop();
      if (this.#merged.has(pointer)) continue;
      open.add(pointer);
      const result = this.#merge(schema, open);
      open.delete(pointer);
      this.#propertyCount += countProperties(result.schema);
      this.#size.checkObjects(this.#propertyCount);
      this.#merged.set(pointer, result);
    }
    return this.#merged.get(definition.pointer) ?? EMPTY_SCHEMA;
  }

  #isMissing({ pointer }: PlacedSchema, open: ReadonlySet<string>): boolean {
    return !this.#merged.has(pointer) && !open.has(pointer);
  }

  findTargets(schema: JsonObject): readonly PlacedSchema[] {
    const { $ref, allOf } = moveRefIntoAllOf(removeNull(schema).schema);
    const target = typeof $ref === "string" ? this.#findSchema($ref) : undefined;
    if (target) return [target];
    return Array.isArray(allOf) ? allOf.filter(isObject).flatMap((part) => this.findTargets(part)) : [];
  }

  #merge(input: JsonObject, open: ReadonlySet<string>): MergedSchema {
    const { schema: baseSchema, isNullable } = removeNull(input);
    const schema = moveRefIntoAllOf(baseSchema);
    const { $ref, allOf, ...own } = schema;
    if (typeof $ref === "string") return this.#mergeRef($ref, schema, isNullable, open);
    if (!Array.isArray(allOf)) return { schema: own, isNullable };
    const parts = allOf.filter(isObject).map((part) => this.#merge(part, open));
    const [firstPart] = parts;
    const isSame = parts.length === 1 && Object.keys(own).every((member) => ANNOTATIONS.has(member));
    return {
      schema: this.#mergeMembers([...parts.map((part) => part.schema), own]),
      isNullable,
      badRef: parts.find((part) => part.badRef !== undefined)?.badRef,
      ...(isSame && firstPart?.definition !== undefined && { definition: firstPart.definition }),
    };
  }

  #mergeRef(ref: string, schema: JsonObject, isNullable: boolean, open: ReadonlySet<string>): MergedSchema {
    const { $ref: _, allOf: __, ...own } = schema;
    const target = this.#findSchema(ref);
    if (!target) return { schema: own, isNullable, badRef: ref };
    const isCycle = open.has(target.pointer);
    const { definition, ...inner } = isCycle ? createCyclePlaceholder(target.pointer) : this.mergeDefinition(target);
    const isSame = Object.keys(schema).every((member) => ANNOTATIONS.has(member));
    const result = {
      ...inner,
      schema: this.#mergeMembers([inner.schema, own]),
      isNullable: isNullable || inner.isNullable,
    };
    return isSame ? { ...result, definition: definition ?? target.pointer } : result;
  }

  /** Merges the members of schemas. Later members win; `properties` and `required` are joined. */
  #mergeMembers(schemas: readonly JsonObject[]): JsonObject {
    const filledSchemas = schemas.filter((schema) => Object.keys(schema).length > 0);
    if (filledSchemas.length < 2) return filledSchemas[0] ?? {};
    const withProperties = filledSchemas.filter(({ properties }) => isObject(properties));
    const withRequired = filledSchemas.filter(({ required }) => Array.isArray(required));
    if (withProperties.length > 1) for (const schema of withProperties) this.#chargeCopies(countProperties(schema));
    if (withRequired.length > 1) {
      for (const { required } of withRequired) this.#chargeCopies(Object(required).length);
    }
    const members = new Map(filledSchemas.flatMap((schema) => Object.entries(schema)));
    if (withProperties.length > 1 && isObject(members.get("properties"))) {
      const properties = withProperties.flatMap((schema) => Object.entries(Object(schema.properties)));
      members.set("properties", Object.fromEntries(properties));
    }
    if (withRequired.length > 1 && Array.isArray(members.get("required"))) {
      // They are lists.
      members.set("required", [...new Set(withRequired.flatMap(({ required }) => required as readonly unknown[]))]);
    }
    return Object.fromEntries(members);
  }

  /** Charges members that are copied, because refs in a small source can name a large definition many times. */
  #chargeCopies(count: number): void {
    this.#copiedMembers += count;
    if (this.#copiedMembers <= LIMITS.copiedMembers) return;
    const detail = `allOf of the schemas copies more than ${LIMITS.copiedMembers} properties (limit copiedMembers); use fewer refs, or split the source`;
    throw new Problem("too_large", detail);
  }
}

const NO_POINTERS: ReadonlySet<string> = new Set();
const EMPTY_SCHEMA: MergedSchema = { schema: {}, isNullable: false };

/** Placeholder for a `$ref` that points back to a definition still being merged (a cycle). */
function createCyclePlaceholder(pointer: string): MergedSchema {
  return { ...EMPTY_SCHEMA, badRef: `#${pointer}` };
}

function countProperties({ properties }: JsonObject) {
  return isObject(properties) ? Object.keys(properties).length : 0;
}

function moveRefIntoAllOf(schema: JsonObject): JsonObject {
  const { $ref, allOf, ...own } = schema;
  return typeof $ref === "string" && Array.isArray(allOf) ? { ...own, allOf: [{ $ref }, ...allOf] } : schema;
}

function removeNull(schema: JsonObject): { readonly schema: JsonObject; readonly isNullable: boolean } {
  const { type, nullable, ...rest } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const types = type.filter((one) => one !== "null");
    return { schema: { ...rest, type: types.length === 1 ? types[0] : types }, isNullable: true };
  }
  for (const member of ["anyOf", "oneOf"] as const) {
    const list = schema[member];
    if (!Array.isArray(list)) continue;
    const others = list.filter((one) => !(isObject(one) && one.type === "null"));
    if (others.length === list.length && !(list.length === 1 && isObject(list[0]))) continue;
    const { [member]: _, ...ownMembers } = schema;
    const [branch] = others;
    const isNullable = others.length < list.length;
    if (others.length === 1 && isObject(branch)) return { schema: { ...branch, ...ownMembers }, isNullable };
    return { schema: { ...ownMembers, [member]: others }, isNullable };
  }
  return nullable === true
    ? { schema: { ...rest, ...(type !== undefined && { type }) }, isNullable: true }
    : { schema, isNullable: false };
}
