import type { ModelDocument, TypeDocument } from "../document/document.ts";
import { normalizeChecks } from "./checks.ts";
import { PropertyChanges } from "./property-changes.ts";
import { getSourceName, type ModelTerms, TableExpressions } from "./table-expressions.ts";
import { resolveTypeName } from "./type-names.ts";

/** Types of a document in their normal form. */
export interface NormalTypes {
  readonly types: readonly TypeDocument[];
  /** Returns the ref of a type in its normal form. */
  readonly toRef: (ref: string) => string;
  /** Returns the name of a type in the source if the normal form replaced it. */
  readonly findFormerName: (ref: string) => string | undefined;
}

/** Renames the types of a document to the names that the database reports. Types of the same name become one. */
export function normalizeTypes({ types }: ModelDocument, terms: ModelTerms): NormalTypes {
  const newKeys = new Map(types.map((type) => [`key:${type.key}`, findKey(type, terms)]));
  const byKey = new Map<string, TypeDocument>();
  const renamed: TypeDocument[] = [];
  for (const type of types) {
    if (newKeys.get(`key:${type.key}`) === type.key) byKey.set(type.key, normalizeDefinition(type, terms));
    else renamed.push(type);
  }
  for (const type of renamed) {
    const { name: _, ...others } = type;
    const key = newKeys.get(`key:${type.key}`) ?? type.key;
    if (!byKey.has(key)) byKey.set(key, { ...others, key });
    // A type about which people say something remains.
    else if (type.description !== undefined) {
      newKeys.set(`key:${type.key}`, type.key);
      byKey.set(type.key, type);
    }
  }
  const names = new Map(types.map((type) => [`key:${type.key}`, getSourceName(type)]));
  const toRef = (ref: string) => `key:${newKeys.get(ref) ?? toTypeName(ref.slice("key:".length), terms)}`;
  return {
    types: [...byKey.values()],
    toRef,
    findFormerName: (ref) => (toRef(ref) === ref ? undefined : (names.get(ref) ?? ref.slice("key:".length))),
  };
}

function findKey(type: TypeDocument, terms: ModelTerms): string {
  const name = getSourceName(type);
  // A type with properties is defined by the source.
  const own = type.properties === undefined ? toTypeName(name, terms) : name;
  return own === name ? type.key : own;
}

function toTypeName(name: string, { rules, schemas }: ModelTerms): string {
  return rules.renamesTypes ? resolveTypeName(name, rules.dialect, schemas).name : name;
}

/** Returns a type that the source defines, with the base type and the checks of a domain in their normal form. */
function normalizeDefinition(type: TypeDocument, terms: ModelTerms): TypeDocument {
  if (type.properties === undefined) return type;
  const { properties: _, ...others } = type;
  const changes = new PropertyChanges(type.properties);
  const base = changes.getText("type");
  if (base !== undefined && toTypeName(base, terms) !== base) changes.set("type", toTypeName(base, terms));
  const written = changes.get("checks");
  if (written !== undefined) {
    const expressions = new TableExpressions(terms);
    changes.replaceList("checks", normalizeChecks(written, getSourceName(type), expressions, terms.rules).checks);
  }
  const definition = changes.getText("definition");
  if (definition !== undefined) changes.replace("definition", new TableExpressions(terms).joinTokens(definition));
  return { ...others, ...changes.toMember() };
}
