import { columnNamed } from "./column-named.ts";
import type { Cursor } from "./cursor.ts";
import { literalOf, numberOf, withoutBrackets } from "./default-value.ts";
import type { DraftColumn } from "./drafts.ts";
import type { Token } from "./scanner.ts";

const BOUNDS: Readonly<Record<string, string>> = {
  ">=": "minimum",
  "<=": "maximum",
  ">": "exclusiveMinimum",
  "<": "exclusiveMaximum",
};

/**
 * The keyword of constraints that a check says of one column: `a in ('x', 'y')`, `a >= 0`, `a between 1 and 9`. A check that says
 * anything else says none.
 */
export function checkedKeyword(
  tokens: readonly Token[],
  columns: readonly DraftColumn[],
  cursor: Cursor,
): { readonly column: DraftColumn; readonly keywords: Readonly<Record<string, unknown>> } | undefined {
  const inner = cursor.over(withoutBrackets(tokens));
  const name = inner.name();
  const column = name === undefined ? undefined : columnNamed(columns, name);
  if (!column) return undefined;
  const keywords = keywordsOf(inner);
  return keywords && inner.isAtEnd() ? { column, keywords } : undefined;
}

function keywordsOf(inner: Cursor): Readonly<Record<string, unknown>> | undefined {
  if (inner.accept("IN")) {
    const values = (inner.group() ?? []).filter(({ key }) => key !== ",").map((one) => literalOf(one, inner.text));
    const all = values.flatMap((one) => (one && one.value !== null ? [one.value] : []));
    return all.length > 0 && all.length === values.length ? { enum: all } : undefined;
  }
  if (inner.accept("BETWEEN")) {
    const low = signed(inner);
    const high = inner.accept("AND") ? signed(inner) : undefined;
    return low === undefined || high === undefined ? undefined : { minimum: low, maximum: high };
  }
  const first = inner.acceptOne(">", "<");
  if (first === undefined) return undefined;
  const keyword = BOUNDS[first + (inner.acceptOne("=") ?? "")];
  const value = signed(inner);
  return keyword === undefined || value === undefined ? undefined : { [keyword]: value };
}

function signed(inner: Cursor): number | undefined {
  const isNegative = inner.accept("-");
  const token = inner.next();
  const value = token?.kind === "number" ? numberOf(token.value) : undefined;
  return value === undefined ? undefined : isNegative ? -value : value;
}
