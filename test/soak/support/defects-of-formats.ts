import { type Defect, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in readers and writers of formats. */
export const FORMAT_DEFECTS: readonly Defect[] = [
  {
    name: "html-dictionary-writes-a-name-raw",
    where: "formatTitle",
    mutation: keep("arguments.0", at("call", "name")),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  {
    name: "html-dictionary-links-to-a-script",
    where: "formatLink",
    mutation: remove(at("if", "test")),
    caughtBy: [suite("test/formats/writing/dictionaries.test.ts", "links to addresses of the web only")],
  },
  {
    name: "html-dictionary-without-the-attributes-of-relationships",
    where: "formatRelationship",
    mutation: replace(at("call", "attributes"), '""'),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
  {
    name: "markdown-dictionary-without-the-attributes-of-relationships",
    where: "writeMarkdown.formatRelationship",
    mutation: remove(at("call", "attributes")),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
  {
    name: "graphviz-quote-not-escaped",
    where: "quoteDot",
    mutation: keep("callee.object", at("call", '"')),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  {
    name: "mermaid-label-not-escaped",
    where: "escapeLabel",
    mutation: keep("callee.object", at("call", "plain")),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  {
    name: "sql-lines-counted-from-zero",
    where: "StatementSplitter",
    mutation: replace(at("literal", "1", { nth: 1 }), "0"),
    caughtBy: [suite("test/formats/sql-statements.test.ts")],
  },
  {
    name: "avro-union-with-null-read-as-required",
    where: "splitUnion",
    mutation: replace(at("binary", "<"), "false"),
    caughtBy: [suite("test/formats/avro.test.ts")],
  },
  {
    name: "odcs-required-not-written",
    where: "toProperty",
    mutation: remove(at("spread", "optional")),
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "odcs")],
  },
  {
    name: "dbml-primary-key-of-one-column-not-written",
    where: "formatColumn",
    mutation: keep("alternate", at("conditional", "pk")),
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "dbml")],
  },
  {
    name: "dbt-test-that-only-warns-taken-for-a-rule",
    where: "coversAllRows",
    mutation: keep("right", at("logical", "isOff")),
    caughtBy: [suite("test/formats/dbt.test.ts", "only warns")],
  },
  {
    name: "json-schema-without-required",
    where: "toObjectSchema",
    mutation: remove(at("spread", "required")),
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "jsonschema")],
  },
  {
    name: "surest-format-not-chosen",
    where: "findCandidates",
    mutation: replace(at("call", "SURENESS"), "all"),
    caughtBy: [suite("test/formats/recognise.test.ts")],
  },
  {
    name: "origin-without-its-path",
    where: "toOrigin",
    mutation: keep("consequent", at("conditional", "path")),
    caughtBy: [suite("test/formats/origins.test.ts")],
  },
  {
    name: "migration-requires-a-column-without-values",
    where: "addColumns",
    mutation: keep("left", at("logical", "isFilled")),
    caughtBy: [suite("test/actions/compare-as.test.ts")],
  },
  {
    name: "narrower-number-taken-for-a-safe-conversion",
    where: "isWidening",
    mutation: changeOperator(at("binary", "DIGITS"), "<="),
    caughtBy: [suite("test/actions/compare-as.test.ts", "comments out the change of a column")],
  },
  {
    name: "source-fetched-from-a-private-address",
    where: "mayConnectTo",
    mutation: replace(at("unary", "ipv4"), "true"),
    caughtBy: [suite("test/formats/safe-fetch.test.ts")],
  },
  {
    name: "quote-in-a-sql-name-not-doubled",
    where: "quoteName",
    mutation: keep("callee.object", at("call", "replaceAll")),
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "postgresql")],
  },
  {
    name: "dropped-properties-not-warned-of",
    where: "warnUncovered.warnMember",
    mutation: keep("consequent", at("if", "property")),
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
];
