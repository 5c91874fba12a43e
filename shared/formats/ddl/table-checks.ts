import type { ModelDocument } from "../../domain/document/document.ts";
import { getSourceName } from "../../domain/normal-form/table-expressions.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import type { ModelTable } from "../common/writing/model-tables.ts";
import type { DdlDialect } from "./dialect.ts";
import { createCheckParser, findUnknownPart } from "./expressions.ts";
import type { SchemaNames } from "./names.ts";
import type { Translate } from "./translate.ts";

/** A check of several columns, or one that no keyword expresses. */
export interface TableCheck {
  readonly name: string;
  readonly condition: string;
}

/** Table whose checks are written, and the dialect of its source. */
interface CheckSource {
  readonly table: ModelTable;
  readonly tableName: string;
  readonly names: SchemaNames;
  /** Dialect of the model. */
  readonly source: string;
  readonly document: ModelDocument;
  readonly translate: Translate;
}

const NO_CHECK = "it has no checks, or the expression has another meaning in another dialect";

/** Returns the checks of a table, those of another dialect translated. Warns about those that the dialect does not have. */
export function createTableChecks(
  { table, tableName, names, source, document, translate }: CheckSource,
  dialect: DdlDialect,
): readonly TableCheck[] {
  const { entity, at } = table;
  const list = entity.properties?.["sql:checks"];
  if (list === undefined) return [];
  const attributes = new Map(entity.attributes.map((one) => [getSourceName(one), one]));
  const parseKeyword = createCheckParser(entity, document);
  const checksAt = at.at("/properties/sql:checks");
  const checks: TableCheck[] = [];
  for (const [i, one] of (Array.isArray(list) ? list : [list]).entries()) {
    const { check, name } = (one ?? {}) as { readonly check?: unknown; readonly name?: unknown };
    if (typeof check === "string" && isKeyword(check)) continue;
    const isOwn = source === dialect.dialect;
    const condition =
      typeof check !== "string" || !dialect.formatLength ? undefined : isOwn ? check : translate(check, "condition");
    const reason = condition === undefined ? NO_CHECK : isOwn ? findUnknownPart(condition, dialect) : undefined;
    if (condition === undefined || reason !== undefined) {
      checksAt.warn(Array.isArray(list) ? `/${i}` : "", "not_written", `${dialect.name}: ${reason}`);
      continue;
    }
    const ownName = typeof name === "string" && name.trim() !== "" ? name : `${tableName}_check`;
    checks.push({ name: names.take(ownName), condition });
  }
  return checks;

  /** Tests for a check that a keyword of an attribute expresses. */
  function isKeyword(check: string) {
    const found = parseKeyword(check);
    const constraints: Readonly<Record<string, unknown>> = attributes.get(found?.column ?? "")?.constraints ?? {};
    return (
      found !== undefined &&
      Object.entries(found.keywords).every(([key, value]) => isSameValue(constraints[key], value))
    );
  }
}
