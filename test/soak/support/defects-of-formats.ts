import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in readers and writers of formats. */
export const FORMAT_DEFECTS: Defects = {
  "html-dictionary-writes-a-name-raw": {
    planted: ["formatTitle", keep("arguments.0", at("call", "name"))],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  "html-dictionary-links-to-a-script": {
    planted: ["formatLink", remove(at("if", "test"))],
    caughtBy: [suite("test/formats/writing/dictionaries.test.ts", "links to addresses of the web only")],
  },
  "html-dictionary-without-the-attributes-of-relationships": {
    planted: ["formatRelationship", replace(at("call", "attributes"), '""')],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
  "markdown-dictionary-without-the-attributes-of-relationships": {
    planted: ["writeMarkdown.formatRelationship", remove(at("call", "attributes"))],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
  "graphviz-quote-not-escaped": {
    planted: ["quoteDot", keep("callee.object", at("call", '"'))],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  "mermaid-label-not-escaped": {
    planted: ["escapeLabel", keep("callee.object", at("call", "plain"))],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "escaped or with a warning")],
  },
  "sql-lines-counted-from-zero": {
    planted: ["StatementSplitter", replace(at("literal", "1", { nth: 1 }), "0")],
    caughtBy: [suite("test/formats/sql-statements.test.ts")],
  },
  "avro-union-with-null-read-as-required": {
    planted: ["splitUnion", replace(at("binary", "<"), "false")],
    caughtBy: [suite("test/formats/avro.test.ts")],
  },
  "odcs-required-not-written": {
    planted: ["toProperty", remove(at("spread", "optional"))],
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "odcs")],
  },
  "dbml-primary-key-of-one-column-not-written": {
    planted: ["formatColumn", keep("alternate", at("conditional", "pk"))],
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "dbml")],
  },
  "dbt-test-that-only-warns-taken-for-a-rule": {
    planted: ["coversAllRows", keep("right", at("logical", "isOff"))],
    caughtBy: [suite("test/formats/dbt.test.ts", "only warns")],
  },
  "json-schema-without-required": {
    planted: ["toObjectSchema", remove(at("spread", "required"))],
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "jsonschema")],
  },
  "surest-format-not-chosen": {
    planted: ["findCandidates", replace(at("call", "SURENESS"), "all")],
    caughtBy: [suite("test/formats/recognise.test.ts")],
  },
  "origin-without-its-path": {
    planted: ["toOrigin", keep("consequent", at("conditional", "path"))],
    caughtBy: [suite("test/formats/origins.test.ts")],
  },
  "migration-requires-a-column-without-values": {
    planted: ["addColumns", keep("left", at("logical", "isFilled"))],
    caughtBy: [suite("test/actions/compare-as.test.ts")],
  },
  "narrower-number-taken-for-a-safe-conversion": {
    planted: ["isWidening", changeOperator(at("binary", "DIGITS"), "<=")],
    caughtBy: [suite("test/actions/compare-as.test.ts", "comments out the change of a column")],
  },
  "source-fetched-from-a-private-address": {
    planted: ["mayConnectTo", replace(at("unary", "ipv4"), "true")],
    caughtBy: [suite("test/formats/safe-fetch.test.ts")],
  },
  "quote-in-a-sql-name-not-doubled": {
    planted: ["quoteName", keep("callee.object", at("call", "replaceAll"))],
    caughtBy: [suite("test/formats/writing/round-trip.test.ts", "postgresql")],
  },
  "dropped-properties-not-warned-of": {
    planted: ["warnUncovered.warnMember", keep("consequent", at("if", "property"))],
    caughtBy: [suite("test/formats/writers-contract.test.ts", "has each member in the file")],
  },
};
