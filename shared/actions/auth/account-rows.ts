import * as z from "zod/mini";
import type { AccountField, AccountFields } from "../../domain/accounts/account-fields.ts";
import type { KindName } from "../../domain/kinds.ts";
import { describe, writtenOutput } from "../building/answers.ts";
import { createIdSchema, createIdsSchema } from "../building/ids.ts";

export const adminRead = { group: "auth", intent: "read", rule: "admin", apiTokens: "allowed" } as const;
export const adminWrite = { group: "auth", rule: "admin", apiTokens: "refused", output: writtenOutput } as const;

type ValueSchema<F extends AccountField> = F extends { readonly is: "text" }
  ? z.ZodMiniString
  : F extends { readonly is: "flag" }
    ? z.ZodMiniBoolean
    : F extends { readonly is: "texts" }
      ? z.ZodMiniArray<z.ZodMiniString>
      : F extends { readonly is: "id"; readonly to: infer N extends KindName }
        ? ReturnType<typeof createIdSchema<N>>
        : F extends { readonly is: "ids"; readonly to: infer N extends KindName }
          ? ReturnType<typeof createIdsSchema<N>>
          : never;

type AccountShape<F extends AccountFields> = {
  [M in keyof F]: F[M] extends { readonly optional: true } ? z.ZodMiniOptional<ValueSchema<F[M]>> : ValueSchema<F[M]>;
};

export function createAccountShape<F extends AccountFields>(fields: F): AccountShape<F> {
  const members = Object.entries(fields).map(([member, field]) => [member, createMemberSchema(field)]);
  // The types of the schemas follow from the fields that the loop goes through.
  return Object.fromEntries(members) as AccountShape<F>;
}

function createMemberSchema(field: AccountField): z.ZodMiniType {
  const { is, to = "actor", text = "", optional } = field;
  const schema =
    is === "id" ? createIdSchema(to, text) : is === "ids" ? createIdsSchema(to, text) : createPlainSchema(is, text);
  return optional ? z.optional(schema) : schema;
}

function createPlainSchema(type: "text" | "texts" | "flag", text: string): z.ZodMiniType {
  const schema = type === "flag" ? z.boolean() : type === "texts" ? z.array(z.string()) : z.string();
  return text === "" ? schema : describe(schema, text);
}

/** Converts a stored account to its row, with members in `computed`. */
export function toAccountRow<F extends AccountFields>(
  account: object,
  fields: F,
  computed: { readonly [M in keyof F]?: unknown } = {},
): Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = { ...account };
  const members = Object.entries(fields).map(([member, { stored = member }]) => [
    member,
    member in computed ? computed[member] : values[stored],
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
