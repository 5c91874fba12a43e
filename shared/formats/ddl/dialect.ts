import type { TypeDialect } from "../../domain/types/dialects/dialects.ts";
import type { AttributeType } from "../../domain/types/find-logical-type.ts";
import type { ModelColumn } from "../common/writing/model-tables.ts";

/** Family of types with common literals, checks and joins. */
export type SqlFamily =
  | "text"
  | "char"
  | "integer"
  | "numeric"
  | "float"
  | "boolean"
  | "date"
  | "timestamp"
  | "timestamptz"
  | "time"
  | "uuid"
  | "jsonb"
  | "bytea"
  | "other";

/** A type of a dialect with its arguments. */
export interface ChosenType {
  readonly text: string;
  /** Name without arguments. */
  readonly name: string;
  readonly arguments: readonly number[];
  readonly family: SqlFamily;
  /** Values of an enum that is a part of the type. */
  readonly values?: readonly string[];
  /** True if the model names the type, in a dialect that writes a type by its name and not by its values. */
  readonly isOwn?: boolean;
}

/** Facts about a column that its type depends on. */
export interface TypeNeed {
  readonly column: ModelColumn;
  readonly type: AttributeType;
  /** Values of the enum that the column has. */
  readonly values: readonly string[] | undefined;
  /** True if a key or a foreign key contains the column. */
  readonly isKeyed: boolean;
}

/** Rules for names. */
export interface NameRules {
  readonly open: string;
  /** Closing quote; it is doubled inside of a name. */
  readonly close: string;
  readonly maxLength: number;
  readonly unit: "byte" | "character";
  /** True if names that differ in the case of letters or in accents are the same. */
  readonly isCaseless: boolean;
  readonly hasSchemas: boolean;
  /** True if the database derives the names of keys and checks from their columns, as this module does. */
  readonly derivesNames?: true;
  /** Parts of names that are not possible. */
  readonly forbidden?: RegExp;
  readonly systemColumns?: readonly string[];
  /** Names that the database uses for its own tables and types. */
  readonly builtInTables?: RegExp;
  readonly builtInTypes?: RegExp;
}

/** Rules for literals. */
export interface LiteralRules {
  readonly prefix: "" | "N";
  /** Escape of quotes and backslashes in texts. */
  readonly escapes: "quotes" | "backslashes" | "codes";
  readonly false: string;
  readonly true: string;
  /** True if a literal of a date or a time needs the name of its type. */
  readonly castsTimes?: true;
  /** Format of a quoted JSON text, if a text is not a JSON value. */
  readonly json?: (quoted: string) => string;
  /** False if a timestamp literal cannot have a time zone. */
  readonly hasZones: boolean;
  /** False if a required column cannot have the default NULL. */
  readonly allowsRequiredNull: boolean;
  /** Expressions that a default can be without brackets; all if absent. */
  readonly plainDefaults?: RegExp;
  /** True if types without a fixed size need brackets around a default. */
  readonly bracketsLarge?: true;
}

/** Rules for primary and unique keys. */
export interface KeyRules {
  readonly maxColumns: number;
  /** Most columns of a table. */
  readonly maxTableColumns: number;
  /** Types that a key cannot contain. */
  readonly unkeyed: RegExp;
  readonly hasUnique: boolean;
  readonly suffix: "" | " NOT ENFORCED";
  /** Most bytes of the columns of a key, with four bytes for a character. */
  readonly maxBytes?: number;
  /** True if a unique key takes rows without values as duplicates. */
  readonly nullsAreEqual?: true;
}

/** Action of a foreign key when its target is deleted or updated. */
export type ReferenceAction = "cascade" | "set null" | "set default" | "restrict";

/** Rules for foreign keys. */
export interface ReferenceRules {
  /** Statement that contains the foreign key. */
  readonly place: "table" | "statement";
  readonly suffix: "" | " NOT ENFORCED";
  readonly actions: readonly ReferenceAction[];
  /** Keys that a foreign key can refer to. */
  readonly targets: "keys" | "primary";
  /** Facts of two types that must be equal. */
  readonly joins: "family" | "storage" | "type";
  /** True if an action cannot change a column with a check. */
  readonly refusesChecked?: true;
  /** True if rows of a table may be changed along one path of foreign keys only. */
  readonly isTree?: true;
}

/** Rules for indexes that are not keys. */
export interface IndexRules {
  readonly hasConditions: boolean;
  readonly hasExpressions: boolean;
  /** Methods other than the usual one, such as `gin`. */
  readonly methods: readonly string[];
  readonly methodPlace?: "before" | "after";
  /** Scope in which names are unique. */
  readonly scope: "schema" | "table";
  /** Types of which an index contains only the first characters, and their number. */
  readonly prefixed?: { readonly types: RegExp; readonly length: number };
}

/** Rules for columns that number the rows. */
export interface IdentityRules {
  readonly clause: string;
  readonly always?: string;
  /** Key that must begin with the column. A primary key of one column is a part of the column. */
  readonly needs: "nothing" | "key" | "primary";
  /** Types of columns that can number the rows. */
  readonly types: RegExp;
  readonly isSingle: boolean;
}

/** Place of comments: statements, clauses, options, extended properties, or comments after a line. */
export type CommentPlace = "statements" | "clauses" | "options" | "properties" | "lines";

/** Facts about a dialect that the writer of statements needs. */
export interface DdlDialect {
  readonly dialect: TypeDialect;
  /** Name for warnings. */
  readonly name: string;
  readonly names: NameRules;
  readonly literals: LiteralRules;
  readonly chooseType: (need: TypeNeed) => ChosenType;
  /** Place of the values of an enum: a type, the column, or a check. */
  readonly enums: "types" | "columns" | "checks";
  /** Formats the number of characters of a column; undefined without checks. */
  readonly formatLength: ((name: string) => string) | undefined;
  /** True if the checks of a column are after all columns: some databases allow one check in a column only. */
  readonly separatesChecks?: true;
  readonly keys: KeyRules;
  readonly references: ReferenceRules;
  readonly indexes?: IndexRules;
  readonly identity?: IdentityRules;
  /** Formats a computed column; undefined without such columns. */
  readonly formatGenerated?: (expression: string, isStored: boolean) => string;
  /** Statement before and after a view; undefined without views. */
  readonly views: { readonly before: string; readonly after: string; readonly materialized: boolean };
  /** Place of comments, and the most characters of one on a table and on a column. */
  readonly comments: { readonly place: CommentPlace; readonly table: number; readonly column: number };
  /** Names of functions that expressions may call, in upper case. */
  readonly functions: ReadonlySet<string>;
  /** Expressions with the same meaning in several dialects. */
  readonly expressions: Readonly<Partial<Record<CommonExpression, string>>>;
  /** True if a column may have a value at updates. */
  readonly hasUpdateDefaults?: true;
  /** Word before the fields of a column with a structure; undefined without such columns. */
  readonly structures?: string;
  /** Options after the columns of a table. */
  readonly tableOptions?: string;
  /** Most bytes of a row, with four bytes for a character, and the type of texts outside of the row. */
  readonly rows?: { readonly maxBytes: number; readonly largeText: string };
  /** Formats the statement that creates a schema, if it is not the usual one. */
  readonly createSchema?: (name: string) => string;
  /** Types of columns that state that they may be absent. */
  readonly statesNull?: RegExp;
  /** True if the default of a column is before `NOT NULL`. */
  readonly requiredAfterDefault?: true;
  /** True if the type of a computed column is not written. */
  readonly computesTypes?: true;
  /** True if a table needs a column. */
  readonly needsColumns: boolean;
}

/** Expression of a default that several dialects have; `instant` is the present with its time zone. */
export type CommonExpression = "now" | "instant" | "today" | "uuid";
