import fc from "fast-check";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { createDiagnostics } from "../../../shared/formats/common/diagnostics.ts";
import { SourceSize } from "../../../shared/formats/common/document-size.ts";
import type { JsonObject } from "../../../shared/formats/common/json-object.ts";
import { toLegalKey } from "../../../shared/formats/common/legal-key.ts";
import type {
  SourceColumn,
  SourcePart,
  SourceReference,
  SourceTable,
} from "../../../shared/formats/common/tables/source-tables.ts";
import { createDocument } from "../../../shared/formats/common/tables/tables-document.ts";
import { sortDocument } from "../../../shared/formats/document-order.ts";
import { withoutIds } from "../documents.ts";

/** A type of a column with what it says of values. */
export interface RandomType {
  readonly type: string;
  readonly constraints?: JsonObject;
  readonly kept?: JsonObject;
}

/** The parts that a format of tables has a place for. */
export interface SayableTables {
  readonly namespace: string;
  readonly name: fc.Arbitrary<string>;
  readonly type: fc.Arbitrary<RandomType>;
  readonly title: boolean;
  readonly header: fc.Arbitrary<JsonObject>;
  readonly primaryKey: boolean;
  readonly unique: "sets" | "columns" | "none";
  /** True if the columns of the primary key cannot be a unique key as well, and foreign keys join equal types. */
  readonly isDatabase?: true;
  /** Foreign keys of several columns, of single ones, or what one table holds of another. */
  readonly references: "sets" | "columns" | "held";
  readonly kept?: JsonObject;
  readonly keptOfTable?: JsonObject;
  /** Properties that a reader adds to the parts that it has understood. */
  readonly added?: readonly string[];
  /** What a property of a held table is kept with, by its name. */
  readonly keptOfHolding?: (property: string, repeats: boolean) => JsonObject;
  /** What a type is kept with, of which it is said so; all other types are named by columns alone. */
  readonly keptOfType?: (type: RandomType) => JsonObject | undefined;
}

const HOSTILE = [
  ...["née", "naïve table", "it's", 'say "hi"', "back`tick", "semi;colon", "a -- b", "/* c */"],
  ...["<script>alert(1)</script>", "select", "table", "order", "null", "true", "Ref", "Table", "constructor"],
  ...["toString", "日本語 x", "x\\y", "$a", "%s", "x", "# no comment", "- item", "a: b", "{{ x }}", "[y]", "yes"],
  ...["1", "0x10", "~", "&anchor", "*alias", "!tag"],
];

/** Names as people give them, and names that every format has to write with care. */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.stringMatching(/^[!-~][ -~]{0,20}[!-~]$/) },
);

/** Texts of descriptions, with line breaks and quotes. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      ...["two\nlines", "it's \"so\" `it` \\ 'is'", "'''", "*/ -- ]]>", "# one\n\n- two", "<b>x</b> & y"],
      "a\n  indented\n b",
    ),
  )
  .map((text) => text.replace(/[^\P{Cc}\n]/gu, "").trim())
  .filter((text) => text !== "" && text.isWellFormed());

const SILENT = createDiagnostics();
const NO_PATH = { label: undefined, path: [] };
const none = fc.constant<string[]>([]);
const some = (list: readonly string[], most: number) =>
  fc.shuffledSubarray([...list], { maxLength: Math.min(most, list.length) });

/** Random models as a reader of the format makes them of tables. */
export function sourceModels(says: SayableTables): fc.Arbitrary<ModelDocument> {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const names = (most: number) =>
    fc.uniqueArray(says.name, { minLength: 1, maxLength: most, selector: (name) => toLegalKey(name) });
  const title = says.title ? maybe(says.name.filter((name) => !/[^\P{Cc}]/u.test(name))) : fc.constant(undefined);
  const column = (name: string, table: string): fc.Arbitrary<SourceColumn> =>
    fc.record({ typed: says.type, optional: fc.boolean(), title, description: maybe(anyText) }).map((one) => ({
      ...{ name, path: [table, name], diagnostics: SILENT, optional: one.optional, title: one.title },
      description: one.description,
      type: one.typed.type,
      constraints: one.typed.constraints ?? {},
      rest: one.typed.kept ?? {},
    }));
  const table = (name: string): fc.Arbitrary<SourceTable> =>
    names(5).chain((columnNames) =>
      fc
        .record({
          columns: fc.tuple(...columnNames.map((one) => column(one, name))),
          primaryKey: says.primaryKey ? some(columnNames, 2) : none,
          unique: says.unique === "none" ? none : some(columnNames, 2),
          set: says.unique === "sets" ? some(columnNames, 3) : none,
          ...{ title, description: maybe(anyText) },
        })
        .map(({ columns, primaryKey, unique: singles, set, ...texts }) => {
          const unique = says.isDatabase ? singles.filter((one) => !primaryKey.includes(one)) : singles;
          const sets = [
            ...unique.map((one) => [one]),
            ...(set.length > 1 && !(says.isDatabase && isSubset(set, primaryKey)) ? [set] : []),
          ];
          return {
            ...{ id: name, name, path: [name], diagnostics: SILENT, primaryKey, unique: sets, ...texts },
            rest: says.keptOfTable ?? {},
            columns: columns.map((one) => ({
              ...one,
              optional: one.optional && !primaryKey.includes(one.name),
              constraints: { ...one.constraints, ...(unique.includes(one.name) && { unique: true }) },
            })),
          };
        }),
    );
  return fc
    .record({ tables: names(4).chain((list) => fc.tuple(...list.map(table))), header: says.header, seed: fc.nat() })
    .chain(({ tables, header }) =>
      referencesOf(tables, says).map((references) =>
        stripped(
          createDocument(
            {
              ...{ namespace: says.namespace, header, rest: says.kept ?? {}, tags: [], types: typesOf(tables, says) },
              tables,
              references: distinctly(references),
            },
            {
              names: {},
              path: NO_PATH,
              diagnostics: createDiagnostics(),
              files: undefined as never,
              size: new SourceSize(),
            },
          ),
        ),
      ),
    );
}

const isSubset = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));

function typesOf(tables: readonly SourceTable[], { keptOfType }: SayableTables): readonly SourcePart[] {
  const made = tables
    .flatMap(({ columns }) => columns)
    .flatMap(({ type, constraints = {}, rest = {} }) => {
      const own = keptOfType?.({ type, constraints, kept: rest });
      return own ? [[type, { name: type, path: [type], diagnostics: SILENT, rest: own }] as const] : [];
    });
  return [...new Map(made).values()];
}

function referencesOf(tables: readonly SourceTable[], says: SayableTables): fc.Arbitrary<readonly SourceReference[]> {
  const one = fc
    .record({
      from: fc.constantFrom(...tables),
      to: fc.constantFrom(...tables),
      at: fc.nat(),
      kind: fc.nat({ max: 2 }),
    })
    .map(({ from, to, at, kind }): SourceReference | undefined => {
      const part = { path: [from.name], diagnostics: SILENT, from: from.id, to: to.id };
      if (says.references === "held") {
        const property = `held${at % 7}`;
        return {
          ...{ ...part, columns: [], targets: [], name: `${from.name}_${property}` },
          cardinalities: ["zeroOrOne", (["one", "zeroOrOne", "many"] as const)[kind] ?? "one"],
          rest: says.keptOfHolding?.(property, kind === 2) ?? {},
        };
      }
      const targets = says.references === "sets" ? to.primaryKey : to.primaryKey.slice(0, 1);
      const columns = from.columns
        .slice(at % from.columns.length)
        .map(({ name }) => name)
        .slice(0, targets.length);
      const isItself = from === to && columns.toSorted().join("\n") === targets.toSorted().join("\n");
      const types = (table: SourceTable, names: readonly string[]) =>
        names.map((name) => table.columns.find((one) => one.name === name)?.type).join();
      const isLegal = !says.isDatabase || types(from, columns) === types(to, targets);
      return columns.length === 0 || columns.length < targets.length || isItself || !isLegal
        ? undefined
        : { ...part, columns, targets };
    });
  return fc.array(one, { maxLength: 4 }).map((list) => list.filter((each) => each !== undefined));
}

function distinctly(references: readonly SourceReference[]): readonly SourceReference[] {
  const keyOf = ({ name, from, columns }: SourceReference) =>
    toLegalKey(name ?? [toLegalKey(from), ...columns].join("_"));
  const endsOf = ({ from, to, columns, targets }: SourceReference) =>
    [JSON.stringify([from, columns.toSorted()]), JSON.stringify([to, targets.toSorted()])].sort().join();
  const byKey = new Map(references.map((one) => [keyOf(one), one])).values();
  return [...new Map([...byKey].map((one) => [one.columns.length === 0 ? keyOf(one) : endsOf(one), one])).values()];
}

/** A document in the order of exports without ids, origins and notes of its reader. */
export function stripped(document: ModelDocument): ModelDocument {
  return withoutIds(sortDocument(document), ["id", "origin", "leftOut", "cleared"]) as ModelDocument;
}
