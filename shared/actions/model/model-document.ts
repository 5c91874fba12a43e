import * as z from "zod/mini";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../../domain/document/document.ts";
import type { ChildrenField, Field, Fields, ObjectIdentity, NestedField, ReaderNotes } from "../../domain/fields/field.ts";
import { modelFields } from "../../domain/fields/model-fields.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { modelKey } from "../../domain/values/value-types.ts";
import { namedObject } from "../building/answers.ts";

type Shape = Record<string, z.ZodMiniType>;

/** A part of a document as exports answer it: every object with its id. */
type Exported<D> = D extends readonly (infer M)[]
  ? readonly Exported<M>[]
  : D extends { readonly key: string }
    ? { readonly id: string } & {
        readonly [M in keyof D as Exclude<M, keyof ObjectIdentity | keyof ReaderNotes>]: Exported<D[M]>;
      }
    : D;

/** The schema of a model document as exports answer it. */
export function modelDocument(): z.ZodMiniType<Exported<ModelDocument>> {
  const schema = namedObject("ModelDocument", {
    $schema: z.literal(DOCUMENT_SCHEMA),
    ...shapeOf(modelKey, modelFields),
  });
  // The type of a document follows from the fields that the loop goes through.
  return schema as unknown as z.ZodMiniType<Exported<ModelDocument>>;
}

function shapeOf(key: ValueType<string>, fields: Fields): Shape {
  const members = Object.entries(fields).flatMap(([member, field]): [string, z.ZodMiniType][] => {
    const schema = schemaOf(field);
    return schema ? [[member, field.required ? schema : z.optional(schema)]] : [];
  });
  return {
    id: z.string().check(z.describe("For refs inside the document; an import gives new ones.")),
    key: key.schema(),
    ...Object.fromEntries(members),
  };
}

function schemaOf(field: Field): z.ZodMiniType | undefined {
  switch (field.is) {
    case "value":
    case "json":
      return described(field.type.schema(), field.text);
    case "ref":
      return ref(field.to);
    case "refs":
      return described(z.array(ref("attribute")), "In order.");
    case "pairs": {
      const pair = z.array(ref("attribute")).check(z.length(2));
      return described(z.array(pair).check(z.maxLength(field.count.most)), field.text);
    }
    case "tags":
      return z
        .array(z.string().check(z.regex(/^key:[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)?$/)))
        .check(z.describe("Refs of its tags, sorted: `key:<tag>` of `localTags`, `key:<group>/<tag>` of `tagGroups`."));
    case "nested":
      return z.array(partOf(field)).check(z.minLength(field.count.least));
    case "children":
      return described(z.array(partOf(field)), field.text);
    case "internal":
      return undefined;
  }
}

function partOf({ called, key, fields }: NestedField | ChildrenField): z.ZodMiniType {
  return namedObject(`${called}Document`, shapeOf(key, fields));
}

function described(schema: z.ZodMiniType, text: string): z.ZodMiniType {
  return text === "" ? schema : schema.check(z.describe(text));
}

function ref(to: string): z.ZodMiniType {
  return z.string().check(z.regex(/^key:.+$/), z.describe(`\`key:<${to} key>\``));
}
