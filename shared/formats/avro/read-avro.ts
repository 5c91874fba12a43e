import { describeJsonType } from "../../domain/values/value-type.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { ReadFormat } from "../common/format.ts";
import {
  isObject,
  type JsonObject,
  type NamedPart,
  omitRead,
  type Part,
  readNamedParts,
  readOptionalText,
} from "../common/json-object.ts";
import type {
  SourceColumn,
  SourcePart,
  SourceReference,
  SourceTable,
  SourceTables,
} from "../common/tables/source-tables.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { PRIMITIVE_TYPES } from "./write-type.ts";

const RECORD_MEMBERS = new Set(["type", "name", "namespace", "doc", "fields"]);
const FIELD_MEMBERS = new Set(["name", "type", "doc", "default"]);
const LOGICAL_TYPE_MEMBERS = new Set(["type", "logicalType", "precision", "scale"]);

/** Reads an Avro schema or a list of schemas. Each record becomes an entity. */
export const readAvro: ReadFormat = (source, context) => {
  const { diagnostics } = context;
  const isList = Array.isArray(source);
  const schemas = (isList ? source : [source]).filter(isObject);
  const roots = schemas.map((one, i) => ({ source: one, diagnostics: isList ? diagnostics.at(`/${i}`) : diagnostics }));
  return createDocument(new AvroReader(roots).read(), context);
};

class AvroReader {
  readonly #types: ReadonlyMap<string, AvroType>;
  readonly #isSingle: boolean;
  readonly #typesWithRepeatedNames: ReadonlySet<AvroType>;
  readonly #references: SourceReference[] = [];

  constructor(roots: readonly Part[]) {
    this.#types = indexTypes(roots);
    this.#isSingle = roots.length === 1;
    const byName = Map.groupBy(this.#types.values(), ({ kind, short }) => `${kind === "record"} ${short}`);
    this.#typesWithRepeatedNames = new Set([...byName.values()].filter(({ length }) => length > 1).flat());
  }

  read(): SourceTables {
    const records = this.#listTypes(true);
    const [first] = records;
    return {
      namespace: "avro",
      header: { name: this.#isSingle && first ? this.#getName(first) : undefined },
      ...{ rest: {}, tags: [] },
      types: this.#listTypes(false).map((type) => this.#toTypePart(type)),
      tables: records.map((record) => this.#toTable(record)),
      references: this.#references,
    };
  }

  #listTypes(isRecord: boolean): readonly AvroType[] {
    return [...this.#types.values()].filter(({ kind }) => (kind === "record") === isRecord);
  }

  #getName(type: AvroType): string {
    return this.#typesWithRepeatedNames.has(type) ? type.full : type.short;
  }

  #toTable(record: AvroType): SourceTable {
    const { source, full, diagnostics } = record;
    const fields = readNamedParts(source, "fields", diagnostics);
    return {
      ...{ id: full, name: this.#getName(record), path: [full], diagnostics, primaryKey: [], unique: [] },
      description: readOptionalText(source, "doc"),
      columns: fields.flatMap((field) => this.#toColumns(field, record)),
      rest: { ...omitRead(source, RECORD_MEMBERS), namespace: record.namespace },
    };
  }

  #toColumns({ source: field, name, diagnostics }: NamedPart, record: AvroType): readonly SourceColumn[] {
    const { branches, isOptional } = splitUnion(field.type);
    const path = [record.full, name];
    const heldRecords = branches.map((one) => this.#findHeldRecord(one, record.namespace));
    if (heldRecords.length > 0 && heldRecords.every((one) => one !== undefined)) {
      for (const { record: target, repeats } of heldRecords) {
        const alternative = heldRecords.length > 1 ? [this.#getName(target)] : [];
        const cardinality = repeats ? "many" : isOptional || heldRecords.length > 1 ? "zeroOrOne" : "one";
        this.#references.push({
          ...{ from: record.full, to: target.full, columns: [], targets: [], path, diagnostics },
          name: [this.#getName(record), name, ...alternative].join("_"),
          description: readOptionalText(field, "doc"),
          cardinalities: ["zeroOrOne", cardinality],
          rest: { field: name, ...omitRead(field, FIELD_MEMBERS), repeats, default: field.default ?? undefined },
        });
      }
      return [];
    }
    const [branch] = branches;
    const scalar =
      branches.length === 1
        ? this.#toScalar(branch, record.namespace, diagnostics)
        : { type: "union", rest: { type: field.type } };
    return [
      {
        ...{ name, path, diagnostics, optional: isOptional, type: scalar.type },
        description: readOptionalText(field, "doc"),
        constraints: { ...("constraints" in scalar && scalar.constraints), default: field.default },
        rest: { ...omitRead(field, FIELD_MEMBERS), ...scalar.rest },
      },
    ];
  }

  #findHeldRecord(
    type: unknown,
    namespace: string,
  ): { readonly record: AvroType; readonly repeats?: string } | undefined {
    const namedType = this.#findType(type, namespace);
    if (namedType?.kind === "record") return { record: namedType };
    if (!isObject(type) || (type.type !== "array" && type.type !== "map")) return undefined;
    const { branches } = splitUnion(type.type === "array" ? type.items : type.values);
    const inner = branches.length === 1 ? this.#findHeldRecord(branches[0], namespace) : undefined;
    return inner && { record: inner.record, repeats: type.type };
  }

  #findType(type: unknown, namespace: string): AvroType | undefined {
    if (typeof type === "string") return this.#types.get(toFullName(type, namespace)) ?? this.#types.get(type);
    if (!isObject(type)) return undefined;
    if (isObject(type.type)) return this.#findType(type.type, namespace);
    return typeof type.name === "string"
      ? this.#types.get(toFullName(type.name, readOptionalText(type, "namespace") ?? namespace))
      : undefined;
  }

  #toScalar(type: unknown, namespace: string, diagnostics: Diagnostics): ScalarType {
    const namedType = this.#findType(type, namespace);
    if (namedType) {
      const constraints = namedType.kind === "enum" ? { enum: namedType.source.symbols } : {};
      return { type: this.#getName(namedType), constraints, rest: {} };
    }
    if (typeof type === "string") {
      const typeText = JSON.stringify(type.slice(0, 60));
      if (!PRIMITIVE_TYPES.has(type))
        diagnostics.reject("/type", `${typeText} is not an Avro type and not defined in the source`);
      return { type, rest: {} };
    }
    if (!isObject(type) || typeof type.type !== "string") {
      diagnostics.reject("/type", `expected a type, got ${describeJsonType(type)}`);
      return { type: "any", rest: {} };
    }
    const { logicalType, precision, scale } = type;
    if (typeof logicalType === "string") {
      const rest = omitRead(type, LOGICAL_TYPE_MEMBERS);
      return { type: logicalType, rest: { type: type.type, precision, scale, ...rest } };
    }
    return { type: type.type, rest: omitRead(type, new Set(["type"])) };
  }

  #toTypePart(type: AvroType): SourcePart {
    const { source, full, diagnostics } = type;
    return {
      ...{ name: this.#getName(type), path: [full], diagnostics },
      description: readOptionalText(source, "doc"),
      rest: { ...omitRead(source, RECORD_MEMBERS), kind: type.kind, namespace: type.namespace },
    };
  }
}

interface ScalarType {
  readonly type: string;
  readonly constraints?: JsonObject;
  readonly rest: JsonObject;
}

function splitUnion(type: unknown): { readonly branches: readonly unknown[]; readonly isOptional: boolean } {
  if (!Array.isArray(type)) return { branches: [type], isOptional: type === "null" };
  const branches = type.filter((one) => one !== "null");
  return { branches: branches.length === 0 ? ["null"] : branches, isOptional: branches.length < type.length };
}

interface AvroType extends Part {
  readonly kind: "record" | "enum" | "fixed";
  readonly short: string;
  readonly namespace: string;
  readonly full: string;
}

function toFullName(name: string, namespace: string) {
  return name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
}

function indexTypes(roots: readonly Part[]): ReadonlyMap<string, AvroType> {
  const types = new Map<string, AvroType>();
  for (const { source, diagnostics } of roots) index(source, "", diagnostics);
  return types;

  function index(value: unknown, parent: string, diagnostics: Diagnostics) {
    if (Array.isArray(value)) {
      for (const [i, one] of value.entries()) index(one, parent, diagnostics.at(`/${i}`));
      return;
    }
    if (!isObject(value)) return;
    const name = readOptionalText(value, "name");
    const kind = value.type === "error" ? "record" : value.type;
    const namespace = readOptionalText(value, "namespace") ?? parent;
    if (name !== undefined && (kind === "record" || kind === "enum" || kind === "fixed")) {
      add(name, kind, namespace, { source: value, diagnostics });
      return;
    }
    for (const member of ["type", "items", "values"]) index(value[member], parent, diagnostics.at(`/${member}`));
  }

  function add(name: string, kind: AvroType["kind"], within: string, { source, diagnostics }: Part) {
    const full = toFullName(name, within);
    const dot = full.lastIndexOf(".");
    const namespace = dot < 0 ? "" : full.slice(0, dot);
    if (types.has(full)) diagnostics.reject("/name", `duplicate type name ${JSON.stringify(full.slice(0, 100))}`);
    else types.set(full, { kind, source, short: full.slice(dot + 1), namespace, full, diagnostics });
    const fields = Array.isArray(source.fields) ? source.fields : [];
    for (const [i, field] of fields.entries()) {
      if (isObject(field)) index(field.type, namespace, diagnostics.at(`/fields/${i}/type`));
    }
  }
}
