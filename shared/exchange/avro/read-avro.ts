import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import type { ReadFormat } from "../reading.ts";
import { restOf, textIn } from "../tables/kept-rest.ts";
import { type NamedPart, namedIn } from "../tables/parts.ts";
import type { SourceColumn, SourcePart, SourceReference, SourceTable } from "../tables/source-tables.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { type AvroType, fullName, indexNames } from "./avro-types.ts";

const RECORD = new Set(["type", "name", "namespace", "doc", "fields"]);
const FIELD = new Set(["name", "type", "doc", "default"]);
const LOGICAL = new Set(["type", "logicalType", "precision", "scale"]);

/** Reads an Avro schema or a list of them: each record as an entity, wherever it stands. */
export const readAvro: ReadFormat = (source, reading) => {
  const roots = (Array.isArray(source) ? source : [source]).filter(isObject);
  const at = (i: number): Findings => (Array.isArray(source) ? reading.findings.at(`/${i}`) : reading.findings);
  const types = indexNames(roots.map((schema, i) => ({ schema, findings: at(i) })));
  const records = [...types.values()].filter(({ kind }) => kind === "record");
  const seen = new Set<string>();
  const repeated = new Set(records.flatMap(({ short }) => (seen.size === seen.add(short).size ? [short] : [])));
  const nameOf = ({ short, full }: AvroType): string => (repeated.has(short) ? full : short);
  const references: SourceReference[] = [];
  const tables = records.map((record): SourceTable => {
    const { schema, full, findings } = record;
    return {
      ...{ id: full, name: nameOf(record), path: [full], findings, primaryKey: [], unique: [] },
      description: textIn(schema, "doc"),
      columns: namedIn(schema, "fields", findings).flatMap((field) => columnsOf(field, record)),
      kept: { ...restOf(schema, RECORD), namespace: record.namespace },
    };
  });
  const [first] = records;
  const name = roots.length === 1 && first ? nameOf(first) : undefined;
  const own = [...types.values()].filter(({ kind }) => kind !== "record").map(typePart);
  return documentOfTables(
    { namespace: "avro", header: { name }, kept: {}, tags: [], types: own, tables, references },
    reading,
  );

  function columnsOf({ source: field, name: called, findings }: NamedPart, record: AvroType): readonly SourceColumn[] {
    const { branches, isOptional } = unionOf(field.type);
    const path = [record.full, called];
    const held = branches.map((one) => heldBy(one, record.namespace));
    if (held.length > 0 && held.every((one) => one !== undefined)) {
      for (const { record: target, repeats } of held) {
        const alternative = held.length > 1 ? [nameOf(target)] : [];
        const there = repeats ? "many" : isOptional || held.length > 1 ? "zeroOrOne" : "one";
        references.push({
          ...{ from: record.full, to: target.full, columns: [], referred: [], path, findings },
          name: [nameOf(record), called, ...alternative].join("_"),
          description: textIn(field, "doc"),
          cardinalities: ["zeroOrOne", there],
          kept: {
            field: called,
            ...restOf(field, FIELD),
            ...(repeats && { repeats }),
            default: field.default ?? undefined,
          },
        });
      }
      return [];
    }
    const [only] = branches;
    const scalar =
      branches.length === 1
        ? scalarOf(only, record.namespace, findings)
        : { type: "union", kept: { type: field.type } };
    return [
      {
        ...{ name: called, path, findings, optional: isOptional, type: scalar.type },
        description: textIn(field, "doc"),
        constraints: { ...("constraints" in scalar && scalar.constraints), default: field.default },
        kept: { ...restOf(field, FIELD), ...scalar.kept },
      },
    ];
  }

  /** The record that a type is, or that its items or values are. */
  function heldBy(
    type: unknown,
    namespace: string,
  ): { readonly record: AvroType; readonly repeats?: string } | undefined {
    const named = typeNamed(type, namespace);
    if (named?.kind === "record") return { record: named };
    if (!isObject(type) || (type.type !== "array" && type.type !== "map")) return undefined;
    const { branches } = unionOf(type.type === "array" ? type.items : type.values);
    const inner = branches.length === 1 ? heldBy(branches[0], namespace) : undefined;
    return inner && { record: inner.record, repeats: type.type };
  }

  function typeNamed(type: unknown, namespace: string): AvroType | undefined {
    if (typeof type === "string") return types.get(fullName(type, namespace)) ?? types.get(type);
    if (!isObject(type)) return undefined;
    if (isObject(type.type)) return typeNamed(type.type, namespace);
    return typeof type.name === "string"
      ? types.get(fullName(type.name, textIn(type, "namespace") ?? namespace))
      : undefined;
  }

  function scalarOf(type: unknown, namespace: string, findings: Findings): Scalar {
    const named = typeNamed(type, namespace);
    if (named)
      return {
        type: nameOf(named),
        ...(named.kind === "enum" && { constraints: { enum: named.schema.symbols } }),
        kept: {},
      };
    if (typeof type === "string") {
      if (!PRIMITIVES.has(type))
        findings.fault(
          "/type",
          `${JSON.stringify(type.slice(0, 60))} is no type of Avro, and none that the source defines`,
        );
      return { type, kept: {} };
    }
    if (!isObject(type) || typeof type.type !== "string") {
      findings.fault("/type", `expected a type, got ${jsonTypeOf(type)}`);
      return { type: "any", kept: {} };
    }
    const { logicalType, precision, scale } = type;
    if (typeof logicalType === "string") {
      return { type: logicalType, kept: { type: type.type, precision, scale, ...restOf(type, LOGICAL) } };
    }
    return { type: type.type, kept: restOf(type, new Set(["type"])) };
  }

  function typePart(type: AvroType): SourcePart {
    const { schema, full, findings } = type;
    return {
      name: nameOf(type),
      path: [full],
      findings,
      description: textIn(schema, "doc"),
      kept: { ...restOf(schema, RECORD), kind: type.kind, namespace: type.namespace },
    };
  }
};

interface Scalar {
  readonly type: string;
  readonly constraints?: JsonObject;
  readonly kept: JsonObject;
}

const PRIMITIVES = new Set(["null", "boolean", "int", "long", "float", "double", "bytes", "string"]);

/** The alternatives of a type but null. */
function unionOf(type: unknown): { readonly branches: readonly unknown[]; readonly isOptional: boolean } {
  if (!Array.isArray(type)) return { branches: [type], isOptional: type === "null" };
  const branches = type.filter((one) => one !== "null");
  return { branches: branches.length === 0 ? ["null"] : branches, isOptional: branches.length < type.length };
}
