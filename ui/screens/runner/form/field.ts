import type { JsonSchema, Schemas } from "../../../api/description.ts";

/** Control for a value. */
export type Control =
  | { readonly kind: "text"; readonly lines: "one" | "many"; readonly most?: number }
  | { readonly kind: "secret" }
  /** A ref or an id; `of` is the type of parameter, such as `EntityRef`. */
  | { readonly kind: "ref"; readonly of: string }
  | { readonly kind: "moment" }
  | { readonly kind: "number"; readonly whole: boolean; readonly least?: number; readonly most?: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  /** Some of a few words. */
  | { readonly kind: "choices"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly item: Field; readonly least: number; readonly most: number }
  | { readonly kind: "object"; readonly members: readonly Field[]; readonly open: boolean }
  /** An object of one of several shapes. */
  | { readonly kind: "variants"; readonly variants: readonly Field[] }
  /** Any JSON, or any object. */
  | { readonly kind: "json"; readonly shape: "any" | "object" | "list" };

/** A value of a payload, with its control. */
export interface Field {
  /** Name of the member, name of the variant, or empty for items. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Type of the parameter, if the description has one. */
  readonly type: string | undefined;
  readonly control: Control;
}

/** Context of the schema of a field. */
interface Place {
  readonly name: string;
  readonly required: boolean;
  /** Type of the parameter, if the parent schema has one. */
  readonly type?: string | undefined;
  /** Names of the enclosing schemas, to detect recursion. */
  readonly within: readonly string[];
}

/** Types whose values name an object, in addition to the refs, which all end in `Ref`. */
const REF_TYPES = /^(?:[A-Za-z]+Ref|[A-Z][a-z]+(?:Token)?Id|ModelVersion|ActionPath)$/;

/** Types without a list action: their values are ids of any kind of object. */
const UNLISTED = new Set(["ObjectId"]);

/** Creates the form of a payload from its schema. */
export function createForm(input: JsonSchema | undefined, schemas: Schemas): Field {
  const schema = input ?? { type: "object", properties: {} };
  return createField(schema, schemas, { name: "", required: true, within: [] });
}

function createField(schema: JsonSchema, schemas: Schemas, place: Place): Field {
  const { $ref } = schema;
  const named = $ref?.slice($ref.lastIndexOf("/") + 1);
  const isAgain = named !== undefined && place.within.includes(named);
  const shape = named === undefined ? schema : { ...schemas[named], ...omitRef(schema) };
  const type = schema["x-type"] ?? place.type;
  const within = named === undefined ? place.within : [...place.within, named];
  return {
    name: place.name === "" && named !== undefined ? named : place.name,
    description: shape.description ?? "",
    required: place.required,
    type,
    control: isAgain ? { kind: "json", shape: "any" } : createControl(shape, schemas, type, within),
  };
}

function omitRef({ $ref: _, ...others }: JsonSchema): JsonSchema {
  return others;
}

function createControl(
  schema: JsonSchema,
  schemas: Schemas,
  type: string | undefined,
  within: readonly string[],
): Control {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) {
    const fields = variants.map((one) => createField(one, schemas, { name: "", required: true, within }));
    return fields.every(({ control }) => control.kind === "object")
      ? { kind: "variants", variants: fields }
      : { kind: "json", shape: "any" };
  }
  if (schema.enum?.every((value) => typeof value === "string")) return { kind: "choice", values: schema.enum };
  switch (getType(schema)) {
    case "string":
      return createTextControl(schema, type);
    case "integer":
    case "number":
      return {
        kind: "number",
        whole: getType(schema) === "integer",
        ...(schema.minimum !== undefined && { least: schema.minimum }),
        ...(schema.maximum !== undefined && { most: schema.maximum }),
      };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return createListControl(schema, schemas, type, within);
    case "object":
      return createObjectControl(schema, schemas, within);
    default:
      return { kind: "json", shape: "any" };
  }
}

/** Returns the only type of a schema except `null`; undefined for several. */
function getType({ type }: JsonSchema): string | undefined {
  if (typeof type === "string" || type === undefined) return type;
  const [first, ...others] = type.filter((one) => one !== "null");
  return others.length === 0 ? first : undefined;
}

function createTextControl({ format, writeOnly, maxLength }: JsonSchema, type: string | undefined): Control {
  if (writeOnly || format === "password") return { kind: "secret" };
  if (type === "Moment" || format === "date-time") return { kind: "moment" };
  if (type !== undefined && REF_TYPES.test(type) && !UNLISTED.has(type)) return { kind: "ref", of: type };
  const lines = type === "TextMarkdown" ? "many" : "one";
  return { kind: "text", lines, ...(maxLength !== undefined && { most: maxLength }) };
}

function createListControl(
  schema: JsonSchema,
  schemas: Schemas,
  type: string | undefined,
  within: readonly string[],
): Control {
  if (!schema.items) return { kind: "json", shape: "list" };
  // `List<EntityAttributeRef>` is a list of `EntityAttributeRef`.
  const inner = /^\w+<(.+)>$/.exec(type ?? "")?.[1];
  const item = createField(schema.items, schemas, { name: "", required: true, type: inner, within });
  if (item.control.kind === "choice" && schema.minItems === undefined)
    return { kind: "choices", values: item.control.values };
  const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = schema;
  return { kind: "list", item: { ...item, name: "" }, least, most };
}

function createObjectControl(schema: JsonSchema, schemas: Schemas, within: readonly string[]): Control {
  if (!schema.properties) return { kind: "json", shape: "object" };
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(([name, member]) =>
    createField(member, schemas, { name, required: required.has(name), within }),
  );
  return { kind: "object", members, open: schema.additionalProperties !== false };
}
