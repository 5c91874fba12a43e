import * as z from "zod/mini";
import type { AccountField, AccountFields } from "../../domain/fields/account-fields.ts";
import type { KindName } from "../../domain/kinds.ts";
import { describe, writtenOutput } from "../building/answers.ts";
import { createIdSchema, createIdsSchema, createOwnIdSchema, createPatternsSchema } from "../building/ids.ts";

export const adminRead = { group: "auth", intent: "read", rule: "admin", apiTokens: "allowed" } as const;
export const adminWrite = { group: "auth", rule: "admin", apiTokens: "refused", output: writtenOutput } as const;

type ValueSchema<F extends AccountField> = F extends { readonly is: "text" | "ownId" }
  ? z.ZodMiniString
  : F extends { readonly is: "flag" }
    ? z.ZodMiniBoolean
    : F extends { readonly is: "id"; readonly to: infer N extends KindName }
      ? ReturnType<typeof createIdSchema<N>>
      : F extends { readonly is: "ids"; readonly to: infer N extends KindName }
        ? ReturnType<typeof createIdsSchema<N>>
        : F extends { readonly is: "patterns" }
          ? ReturnType<typeof createPatternsSchema>
          : z.ZodMiniArray<z.ZodMiniString>;

type AccountShape<F extends AccountFields> = {
  [M in keyof F as F[M] extends { readonly only: "store" } ? never : M]: F[M] extends { readonly optional: true }
    ? z.ZodMiniOptional<ValueSchema<F[M]>>
    : ValueSchema<F[M]>;
};

export function createAccountShape<F extends AccountFields>(fields: F): AccountShape<F> {
  const members = listAnswered(fields).map(([member, field]) => [member, createMemberSchema(field)]);
  // The types of the schemas follow from the fields that the loop goes through.
  return Object.fromEntries(members) as AccountShape<F>;
}

function listAnswered(fields: AccountFields) {
  return Object.entries(fields).filter(([, { only }]) => only !== "store");
}

function createMemberSchema({ is, to = "actor", text = "", optional }: AccountField): z.ZodMiniType {
  const schema = createValueSchema(is, to, text);
  return optional ? z.optional(schema) : schema;
}

function createValueSchema(type: AccountField["is"], to: KindName, text: string): z.ZodMiniType {
  switch (type) {
    case "id":
      return createIdSchema(to, text);
    case "ids":
      return createIdsSchema(to, text);
    case "ownId":
      return createOwnIdSchema(text);
    case "patterns":
      return createPatternsSchema(text);
    default:
      return createPlainSchema(type, text);
  }
}

function createPlainSchema(type: AccountField["is"], text: string): z.ZodMiniType {
  const schema = type === "flag" ? z.boolean() : type === "text" ? z.string() : z.array(z.string());
  return text === "" ? schema : describe(schema, text);
}

/** Converts a stored account to its row, with members in `overrides`. */
export function toAccountRow<F extends AccountFields>(
  account: object,
  fields: F,
  overrides: { readonly [M in keyof F]?: unknown } = {},
): Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = { ...account };
  const members = listAnswered(fields).map(([member, { stored = member }]) => [
    member,
    member in overrides ? overrides[member] : values[stored],
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
