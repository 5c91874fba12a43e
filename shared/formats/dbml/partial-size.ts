import type { ElementDeclarationNode, FunctionApplicationNode, ProgramNode, SyntaxNode } from "@dbml/parse";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";

type Statement = ElementDeclarationNode | FunctionApplicationNode;

/**
 * Throws `too_large` before the parser copies each `TablePartial` into the tables that use it, if the copies together
 * have too many characters. A small text can multiply many tables by many columns.
 */
export function checkPartialSize({ body, source }: Readonly<ProgramNode>): void {
  const elements = body.filter((one): one is ElementDeclarationNode => "name" in one);
  const readText = ({ start, end }: Pick<SyntaxNode, "start" | "end">) => source.slice(start, end);
  const sizes = new Map<string, number>();
  for (const partial of elements.filter((one) => isElement(one, "tablepartial"))) {
    const name = partial.name ? normalizeName(readText(partial.name)) : "";
    sizes.set(name, Math.max(sizes.get(name) ?? 0, partial.end - partial.start));
  }
  // A name in another spelling counts as the largest partial.
  const largest = Math.max(0, ...sizes.values());
  let characters = 0;
  for (const table of elements.filter((one) => isElement(one, "table"))) {
    for (const statement of listStatements(table)) {
      const partial = findInjected(statement);
      if (partial) characters += sizes.get(normalizeName(readText(partial))) ?? largest;
    }
    if (characters <= LIMITS.dbmlPartialCharacters) continue;
    const detail =
      `the table partials have more than ${LIMITS.dbmlPartialCharacters} characters (limit dbmlPartialCharacters) when copied into the tables that use them; ` +
      `use them in fewer tables, or split the source`;
    throw new Problem("too_large", detail);
  }
}

function isElement({ type }: ElementDeclarationNode, kind: string) {
  return type?.value.toLowerCase() === kind;
}

function listStatements({ body }: ElementDeclarationNode): readonly Statement[] {
  if (!body) return [];
  return "args" in body ? [body] : body.body;
}

/** Returns the name in `~name`, the use of a partial; undefined for another statement. */
function findInjected(statement: Statement): SyntaxNode | undefined {
  if (!("callee" in statement)) return undefined;
  const { op, expression } = (statement.callee ?? {}) as { op?: { value: string }; expression?: SyntaxNode };
  return op?.value === "~" ? expression : undefined;
}

function normalizeName(text: string) {
  return text.trim().replace(/^"(.*)"$/s, "$1");
}
