import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace, swap } from "./mutation.ts";

/**
 * Defects in formats, comparisons, plans, rights, the audit log and fsck, in the client library, the command line and
 * the web application.
 */
export const FEATURE_DEFECTS: Defects = {
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
  "removed-business-key-judged-cosmetic": {
    planted: ["assessRemoval", replace(at("binary", "tag"), '$ || objectType === "businessKey"')],
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a businessKey")],
  },
  "new-required-attribute-judged-additive": {
    planted: ["assessAddition", replace(at("binary", "members"), "false")],
    caughtBy: [suite("test/domain/judged-changes.test.ts", "a required attribute is breaking")],
  },
  "alike-attributes-taken-for-renamed-though-several": {
    planted: ["pairAlike", replace(at("logical", "rival", { part: "right" }), "undefined")],
    caughtBy: [suite("test/domain/match-documents.test.ts", "a rename is likely only")],
  },
  "plan-of-another-revision-applied": {
    planted: ["hashPlan", remove(at("property", "revision", { nth: 2 }))],
    caughtBy: [suite("test/actions/apply.test.ts")],
  },
  "audit-page-never-ends": {
    planted: ["listMonths", replace(at("conditional", "to"), "undefined")],
    caughtBy: [suite("test/store/accounts/audit-list.test.ts", "has no cursor on the last page")],
  },
  "token-bound-by-id-denied": {
    planted: ["identifyModel", remove(at("spread", "within"))],
    caughtBy: [suite("test/identity/callers.test.ts", "an API token for a model by id gets from auth/can")],
  },
  "difference-of-an-object-not-reported-by-fsck": {
    planted: ["checkObject", replace(at("binary", "length"), "true")],
    caughtBy: [suite("test/store/fsck/fsck-rules.test.ts")],
  },
  "markup-not-escaped-in-a-diagram": {
    planted: ["escapeMarkup", keep("callee.object", at("call", "replace"))],
    caughtBy: [suite("test/diagram/diagram-svg.test.ts")],
  },
  "request-with-two-hosts-accepted": {
    planted: ["findHostFault", remove(at("if", "length", { nth: 2 }))],
    caughtBy: [suite("test/http/connections.test.ts", "Host")],
  },
  "edit-of-people-overwritten-by-the-source": {
    planted: ["computeVerdict", keep("consequent", at("conditional", "isSameValue"))],
    caughtBy: [suite("test/actions/import-into.test.ts")],
  },
  "search-by-one-condition-of-several": {
    planted: ["createRowTest", replace(at("identifier", "every"), "some")],
    caughtBy: [suite("test/search/search-oracle.test.ts")],
  },
  "pre-release-taken-for-the-later-version": {
    planted: ["compareVersions", swap(at("if", "labels", { part: "consequent.argument" }), "left", "right")],
    caughtBy: [suite("test/domain/value-types.test.ts")],
  },
  "client-sends-a-write-without-a-key-again": {
    planted: ["pauseBefore", remove(at("if", "isSafe"))],
    caughtBy: [suite("test/client/client.test.ts", "is not repeated without a key")],
  },
  "client-follows-a-redirect": {
    planted: ["sendOnce", remove(at("property", "redirect"))],
    caughtBy: [suite("test/client/redirects.test.ts")],
  },
  "client-keeps-the-form-of-an-entity-tag": {
    planted: ["toAnswer", keep("callee.object", at("call", "replace"))],
    caughtBy: [suite("test/client/client.test.ts")],
  },
  "command-line-shows-a-secret": {
    planted: ["withoutSecrets.masked", remove(at("if"))],
    caughtBy: [suite("test/cli/secrets.test.ts")],
  },
  "command-line-takes-a-secret-as-an-argument": {
    planted: ["refuseSecretArguments", remove(at("if", "secret"))],
    caughtBy: [suite("test/cli/secrets.test.ts")],
  },
  "command-line-ends-with-success": {
    planted: ["findExitCode", replace(at("member", "error"), "EXIT.done")],
    caughtBy: [suite("test/cli/misspelt.test.ts")],
  },
  "web-application-shows-answers-of-another-token": {
    planted: ["fetchByEtag", replace(at("binary", "bearer"), "false")],
    caughtBy: [suite("test/web/etag-cache.test.ts")],
  },
  "web-application-answers-a-dry-run-from-its-cache": {
    planted: ["fetchByEtag", keep("alternate", at("conditional", "idempotency-key"))],
    caughtBy: [suite("test/web/etag-cache.test.ts")],
  },
  "pasted-key-taken-twice": {
    planted: ["planRows", remove(at("if", "twice"))],
    caughtBy: [suite("test/web/attribute-paste.test.ts")],
  },
  "command-line-prints-control-characters": {
    planted: ["escapeControls", keep("consequent", at("conditional"))],
    caughtBy: [suite("test/cli/escapes.test.ts")],
  },
  "token-of-a-profile-sent-to-another-service": {
    planted: ["settings.settle", keep("consequent", at("conditional", "token"))],
    caughtBy: [suite("test/cli/profiles.test.ts")],
  },
  "csv-cell-run-as-a-formula": {
    planted: ["formatCsvCell", keep("alternate", at("conditional", "FORMULA"))],
    caughtBy: [suite("test/web/separated.test.ts")],
  },
  "breaking-change-proposed-as-a-minor-version": {
    planted: ["findVersionStep", replace(at("call", "findIndex"), "1")],
    caughtBy: [suite("test/web/next-version.test.ts")],
  },
  "page-left-listed-twice": {
    planted: ["addPlace", keep("callee.object", at("call", "filter"))],
    caughtBy: [suite("test/web/recent-places.test.ts")],
  },
};
