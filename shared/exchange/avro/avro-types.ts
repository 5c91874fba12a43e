import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { textIn } from "../tables/kept-rest.ts";

/** A type of Avro that has a name. */
export interface AvroType {
  readonly kind: "record" | "enum" | "fixed";
  readonly schema: JsonObject;
  readonly short: string;
  readonly namespace: string;
  readonly full: string;
  readonly findings: Findings;
}

/** A schema with its place. */
interface PlacedSchema {
  readonly schema: JsonObject;
  readonly findings: Findings;
}

/** The whole name of a type: its own where it has dots, else below the namespace around it. */
export function fullName(name: string, namespace: string): string {
  return name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
}

/** Every type with a name in schemas, at any depth, in the order in which they stand; a name that comes twice is a fault. */
export function indexNames(roots: readonly PlacedSchema[]): ReadonlyMap<string, AvroType> {
  const types = new Map<string, AvroType>();
  for (const { schema, findings } of roots) index(schema, "", findings);
  return types;

  function index(value: unknown, around: string, findings: Findings): void {
    if (Array.isArray(value)) {
      for (const [i, one] of value.entries()) index(one, around, findings.at(`/${i}`));
      return;
    }
    if (!isObject(value)) return;
    const name = textIn(value, "name");
    const kind = value.type === "error" ? "record" : value.type;
    const namespace = textIn(value, "namespace") ?? around;
    if (name !== undefined && (kind === "record" || kind === "enum" || kind === "fixed")) {
      add(name, kind, namespace, value, findings);
      return;
    }
    for (const member of ["type", "items", "values"]) index(value[member], around, findings.at(`/${member}`));
  }

  function add(name: string, kind: AvroType["kind"], within: string, schema: JsonObject, findings: Findings): void {
    const full = fullName(name, within);
    const dot = full.lastIndexOf(".");
    const namespace = dot < 0 ? "" : full.slice(0, dot);
    if (types.has(full))
      findings.fault("/name", `the name ${JSON.stringify(full.slice(0, 100))} is taken by another type`);
    else types.set(full, { kind, schema, short: full.slice(dot + 1), namespace, full, findings });
    const fields = Array.isArray(schema.fields) ? schema.fields : [];
    for (const [i, field] of fields.entries()) {
      if (isObject(field)) index(field.type, namespace, findings.at(`/fields/${i}/type`));
    }
  }
}
