import * as z from "zod/mini";

/** The member of a JSON Schema that says of each value of `enum` what it means. */
export const CHOICE_TEXTS = "x-enumDescriptions";

/** One of the names of a table; its JSON Schema says of each what it means, for those who offer the choice. */
export function describedChoice<N extends string>(
  table: Readonly<Record<N, { readonly text: string }>>,
): z.ZodMiniType<N> {
  // The names of a table are its members, and there is one at least.
  const names = Object.keys(table) as [N, ...N[]];
  const texts = Object.fromEntries(names.map((name) => [name, table[name].text]));
  return z.enum(names, { error: `must be one of ${names.join(", ")}` }).check(z.meta({ [CHOICE_TEXTS]: texts }));
}
