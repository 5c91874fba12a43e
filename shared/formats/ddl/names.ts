import type { TypeDocument } from "../../domain/document/document.ts";
import type { NameRules } from "./dialect.ts";

/** A name that the database generates, or an explicit one. */
export interface MadeName {
  readonly name: string;
  readonly isExplicit: boolean;
}

/** Names of one schema. Constraints share the namespace of tables because of their indexes. */
export interface SchemaNames {
  nameTable(name: string): SqlName;
  nameEnum(name: string): SqlName;
  take(name: string): string;
  make(...parts: readonly string[]): MadeName;
}

/** Creates the names of all schemas. Each schema is a separate scope. */
export function createNames(rules: NameRules, schemas: ReadonlySet<string> | undefined): (name: string) => SchemaNames {
  const scopes = new Map<string | undefined, SchemaNames>();
  return (name) => {
    const schema = schemas ? name.slice(0, name.indexOf(".")) : undefined;
    const scope = scopes.get(schema) ?? createSchemaNames(rules, schema);
    scopes.set(schema, scope);
    return scope;
  };
}

function createSchemaNames(rules: NameRules, schema: string | undefined): SchemaNames {
  const take = createNameTaker(rules);
  const nameObject = (fullName: string, pattern: RegExp | undefined): SqlName => {
    const baseName = schema === undefined ? fullName : fullName.slice(schema.length + 1);
    const isBuiltIn = schema === undefined && pattern?.test(baseName);
    const name = take(isBuiltIn ? `${baseName}_` : baseName);
    const legalSchema = schema === undefined ? undefined : toLegalName(schema, rules);
    return { schema: legalSchema, name, text: qualifyName(legalSchema, name, rules) };
  };
  return {
    nameTable: (name) => nameObject(name, rules.builtInTables),
    nameEnum: (name) => nameObject(name, rules.builtInTypes),
    take,
    make: (...parts) => {
      if (!rules.derivesNames) return { name: "", isExplicit: false };
      const baseName = parts.join("_");
      const name = take(baseName);
      return { name, isExplicit: name !== baseName };
    },
  };
}

/** Quotes a name. */
export function quoteName(name: string, { open, close }: Pick<NameRules, "open" | "close">): string {
  return `${open}${name.replaceAll(close, close + close)}${close}`;
}

/** Quotes a name with its schema. */
export function qualifyName(schema: string | undefined, name: string, rules: NameRules): string {
  return schema === undefined ? quoteName(name, rules) : `${quoteName(schema, rules)}.${quoteName(name, rules)}`;
}

/** Formats text as comment lines. */
export function formatSqlComment(text: string): string {
  return text.replace(/^/gm, "-- ").replaceAll("\r", " ");
}

/** Returns a name without the parts that the dialect does not allow. */
export function toLegalName(name: string, { forbidden }: NameRules): string {
  return forbidden ? name.replace(forbidden, "_") : name;
}

/** Creates a function that returns a legal name that it did not return before. */
export function createNameTaker(rules: NameRules, reservedNames: Iterable<string> = []): (name: string) => string {
  const usedNames = new Set(reservedNames);
  /** The next number of each name, because many objects may have one. */
  const numbers = new Map<string, number>();
  const { maxLength } = rules;
  return (name) => {
    const legalName = toLegalName(name, rules);
    const first = clipName(legalName, maxLength, rules);
    let result = first;
    let n = numbers.get(foldName(first, rules)) ?? 2;
    for (; usedNames.has(foldName(result, rules)); n++) {
      result = `${clipName(legalName, maxLength - String(n).length - 1, rules)}_${n}`;
    }
    numbers.set(foldName(first, rules), n);
    usedNames.add(foldName(result, rules));
    return result;
  };
}

/** Returns the form of a name that the database compares. */
export function foldName(name: string, { isCaseless }: NameRules): string {
  return isCaseless ? name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase() : name;
}

function clipName(name: string, maxLength: number, { unit }: NameRules) {
  let result = "";
  let size = 0;
  for (const letter of name) {
    size += unit === "byte" ? Buffer.byteLength(letter) : letter.length;
    if (size > maxLength) break;
    result += letter;
  }
  return result;
}

/** Formats the rule for names, for warnings. */
export function describeNames(database: string, { maxLength, unit, forbidden }: NameRules): string {
  return `${database} names have at most ${maxLength} ${unit}s${forbidden ? ", no special characters" : ""} and are unique`;
}

/** A name in a schema, or in the default schema. */
export interface SqlName {
  readonly schema: string | undefined;
  readonly name: string;
  readonly text: string;
}

/** An enum of the database for a type of the model. */
export interface SqlEnum extends SqlName {
  readonly type: TypeDocument;
  readonly values: readonly string[];
}
