import type { JsonSchema, Schemas } from "../../../api/description.ts";

/** Control for a value. */
export type Control =
  | { readonly kind: "text"; readonly lines: "one" | "many" }
  | { readonly kind: "secret" }
  /** A ref or an id; `of` is the type of parameter, such as `EntityRef`. */
  | { readonly kind: "ref"; readonly of: string }
  | { readonly kind: "time" }
  | { readonly kind: "number"; readonly whole: boolean; readonly least?: number; readonly most?: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "choices"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly item: Field; readonly least: number; readonly most: number }
  | { readonly kind: "object"; readonly members: readonly Field[] }
  | { readonly kind: "variants"; readonly variants: readonly Field[] }
  /** Any JSON, or any object or list. */
  | { readonly kind: "json"; readonly shape: "any" | "object" | "list" };

/** The control of a kind. */
export type ControlOf<K extends Control["kind"]> = Extract<Control, { readonly kind: K }>;

export const ANY_JSON: Control = { kind: "json", shape: "any" };

/** A value of a payload, with its control. */
export interface Field {
  /** Name of the member, name of the variant, or empty for items. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: string | undefined;
  readonly control: Control;
}

interface Context {
  readonly schemas: Schemas;
  /** Names of the enclosing schemas, to detect recursion. */
  readonly within: readonly string[];
  readonly type?: string | undefined;
}

/** Types whose values name an object, in addition to the refs, which all end in `Ref`. */
const REF_TYPES = /^(?:[A-Za-z]+Ref|[A-Z][a-z]+(?:Token)?Id|ModelVersion|ActionPath)$/;

/** Types without a list action: their values are ids of any kind of object. */
const UNLISTED_TYPES = new Set(["ObjectId"]);

/** Creates the form of a payload from its schema. */
export function createForm(input: JsonSchema | undefined, schemas: Schemas): Field {
  return createField(input ?? { type: "object", properties: {} }, { schemas, within: [] });
}

/** Returns the fields of the members of an object; none for another control. */
export function listMembers({ control }: Pick<Field, "control">): readonly Field[] {
  return control.kind === "object" ? control.members : [];
}

function createField(schema: JsonSchema, context: Context, name = "", required = true): Field {
  const { schemas, within } = context;
  const { $ref, ...own } = schema;
  const key = $ref?.slice($ref.lastIndexOf("/") + 1);
  const shape = key === undefined ? schema : { ...schemas[key], ...own };
  const type = schema["x-type"] ?? context.type;
  const inner = key === undefined ? within : [...within, key];
  return {
    name: name || (key ?? ""),
    description: shape.description ?? "",
    required,
    type,
    control:
      key !== undefined && within.includes(key) ? ANY_JSON : createControl(shape, { schemas, within: inner, type }),
  };
}

function createControl(schema: JsonSchema, { type, ...context }: Context): Control {
  const variants = (schema.oneOf ?? schema.anyOf)?.map((one) => createField(one, context));
  if (variants)
    return variants.every(({ control }) => control.kind === "object") ? { kind: "variants", variants } : ANY_JSON;
  if (schema.enum?.every((value) => typeof value === "string")) return { kind: "choice", values: schema.enum };
  const { minimum, maximum, properties, required = [] } = schema;
  const valueType = getType(schema);
  switch (valueType) {
    case "string":
      return createTextControl(schema, type);
    case "integer":
    case "number":
      return {
        kind: "number",
        whole: valueType === "integer",
        ...(minimum !== undefined && { least: minimum }),
        ...(maximum !== undefined && { most: maximum }),
      };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return createListControl(schema, { ...context, type });
    case "object":
      if (!properties) return { kind: "json", shape: "object" };
      return {
        kind: "object",
        members: Object.entries(properties).map(([name, member]) =>
          createField(member, context, name, required.includes(name)),
        ),
      };
    default:
      return ANY_JSON;
  }
}

function getType({ type }: JsonSchema): string | undefined {
  if (typeof type === "string" || type === undefined) return type;
  const [first, ...others] = type.filter((one) => one !== "null");
  return others.length === 0 ? first : undefined;
}

function createTextControl({ format, writeOnly }: JsonSchema, type: string | undefined): Control {
  if (writeOnly || format === "password") return { kind: "secret" };
  if (type === "Moment" || format === "date-time") return { kind: "time" };
  if (type !== undefined && REF_TYPES.test(type) && !UNLISTED_TYPES.has(type)) return { kind: "ref", of: type };
  return { kind: "text", lines: type === "TextMarkdown" ? "many" : "one" };
}

function createListControl(schema: JsonSchema, context: Context): Control {
  if (!schema.items) return { kind: "json", shape: "list" };
  // `List<EntityAttributeRef>` is a list of `EntityAttributeRef`.
  const type = /^\w+<(.+)>$/.exec(context.type ?? "")?.[1];
  const item = createField(schema.items, { ...context, type });
  if (item.control.kind === "choice" && schema.minItems === undefined)
    return { kind: "choices", values: item.control.values };
  const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = schema;
  return { kind: "list", item: { ...item, name: "" }, least, most };
}
