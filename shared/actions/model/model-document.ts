import * as z from "zod/mini";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../../domain/document/document.ts";
import type {
  ChildrenField,
  Field,
  Fields,
  NestedField,
  ObjectIdentity,
  ReaderNotes,
} from "../../domain/fields/field.ts";
import { modelFields } from "../../domain/fields/model-fields.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { modelKey } from "../../domain/values/value-types.ts";
import { createNamedSchema, describe, describeList, describeText } from "../building/answers.ts";

type Shape = Record<string, z.ZodMiniType>;

type Export<D> = D extends readonly (infer M)[]
  ? readonly Export<M>[]
  : D extends { readonly key: string }
    ? { readonly id: string } & {
        readonly [M in keyof D as Exclude<M, keyof ObjectIdentity | keyof ReaderNotes>]: Export<D[M]>;
      }
    : D;

/** Returns the schema of an exported model document. */
export function createModelDocumentSchema(): z.ZodMiniType<Export<ModelDocument>> {
  const schema = createNamedSchema("ModelDocument", {
    $schema: z.literal(DOCUMENT_SCHEMA),
    ...createShape(modelKey, modelFields),
  });
  // The type of a document follows from the fields that the loop goes through.
  return schema as unknown as z.ZodMiniType<Export<ModelDocument>>;
}

function createShape(key: ValueType<string>, fields: Fields): Shape {
  const members = Object.entries(fields).flatMap(([member, field]): [string, z.ZodMiniType][] => {
    const schema = createFieldSchema(field);
    return schema ? [[member, field.required ? schema : z.optional(schema)]] : [];
  });
  return {
    id: describeText("Id of the object, never as a ref; an import assigns new ids."),
    key: key.schema(),
    ...Object.fromEntries(members),
  };
}

function createFieldSchema(field: Field): z.ZodMiniType | undefined {
  switch (field.is) {
    case "value":
    case "json":
      return addDescription(field.type.schema(), field.text);
    case "ref":
      return createRefSchema(field.to);
    case "refs":
      return addDescription(z.array(createRefSchema("attribute")), "In order.");
    case "pairs": {
      const pair = z.array(createRefSchema("attribute")).check(z.length(2));
      return addDescription(z.array(pair).check(z.maxLength(field.count.most)), field.text);
    }
    case "tags":
      return describeList(
        z.string().check(z.regex(/^key:[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)?$/)),
        "Refs of its tags, sorted: `key:<tag>` of `localTags`, `key:<group>/<tag>` of `tagGroups`.",
      );
    case "nested":
      return z.array(createPartSchema(field)).check(z.minLength(field.count.least));
    case "children":
      return addDescription(z.array(createPartSchema(field)), field.text);
    case "internal":
      return undefined;
  }
}

function createPartSchema({ noun: called, key, fields }: NestedField | ChildrenField): z.ZodMiniType {
  return createNamedSchema(`${called}Document`, createShape(key, fields));
}

function addDescription(schema: z.ZodMiniType, text: string): z.ZodMiniType {
  return text === "" ? schema : describe(schema, text);
}

function createRefSchema(to: string): z.ZodMiniType {
  return z.string().check(z.regex(/^key:.+$/), z.describe(`\`key:<${to} key>\``));
}
