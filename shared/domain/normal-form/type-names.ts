import { COMMON } from "../types/dialects/any-dialect.ts";
import { DIALECT_TABLES, type TypeDialect } from "../types/dialects/dialects.ts";
import { resolveType } from "../types/dialects/table.ts";
import { parseTypeText, type TypeText } from "../types/dialects/type-text.ts";
import type { LogicalType } from "../types/logical/logical-type.ts";
import { removeSchema } from "./expressions/simplify-expression.ts";

/** Name of a type as the database reports it, with its arguments, and the logical type if it is known. */
export interface TypeName {
  readonly name: string;
  readonly type: LogicalType | undefined;
}

/** Returns the name of a type of a dialect as its database reports it, without a schema that may be omitted. */
export function resolveTypeName(text: string, dialect: TypeDialect, schemas: ReadonlySet<string>): TypeName {
  const own = removeSchema(text, schemas);
  const parsed = parseTypeText(own);
  const resolved = resolveType(parsed, DIALECT_TABLES[dialect]);
  // A type of the same name in another schema is another type.
  if (!resolved || own.includes(".")) return { name: own, type: resolveType(parsed, COMMON)?.type };
  return { name: addArguments(resolved.name, parsed), type: resolved.type };
}

function addArguments(name: string, { arguments: list, lists }: TypeText): string {
  if (list.length === 0) return name;
  const brackets = "[]".repeat(lists);
  return `${name.slice(0, name.length - brackets.length)}(${list.join(",")})${brackets}`;
}
