import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the client library, the command line and the web application. */
export const CLIENT_DEFECTS: readonly Defect[] = [
  {
    name: "client-sends-a-write-without-a-key-again",
    where: "pauseBefore",
    mutation: remove(at("if", "isSafe")),
    caughtBy: [suite("test/client/client.test.ts", "is not repeated without a key")],
  },
  {
    name: "client-follows-a-redirect",
    where: "sendOnce",
    mutation: remove(at("property", "redirect")),
    caughtBy: [suite("test/client/redirects.test.ts")],
  },
  {
    name: "client-keeps-the-form-of-an-entity-tag",
    where: "toAnswer",
    mutation: keep("callee.object", at("call", "replace")),
    caughtBy: [suite("test/client/client.test.ts")],
  },
  {
    name: "command-line-shows-a-secret",
    where: "withoutSecrets.masked",
    mutation: remove(at("if")),
    caughtBy: [suite("test/cli/secrets.test.ts")],
  },
  {
    name: "command-line-takes-a-secret-as-an-argument",
    where: "refuseSecretArguments",
    mutation: remove(at("if", "secret")),
    caughtBy: [suite("test/cli/secrets.test.ts")],
  },
  {
    name: "command-line-ends-with-success",
    where: "findExitCode",
    mutation: replace(at("member", "error"), "EXIT.done"),
    caughtBy: [suite("test/cli/misspelt.test.ts")],
  },
  {
    name: "web-application-shows-answers-of-another-token",
    where: "fetchByEtag",
    mutation: replace(at("binary", "bearer"), "false"),
    caughtBy: [suite("test/web/etag-cache.test.ts")],
  },
  {
    name: "web-application-answers-a-dry-run-from-its-cache",
    where: "fetchByEtag",
    mutation: keep("alternate", at("conditional", "idempotency-key")),
    caughtBy: [suite("test/web/etag-cache.test.ts")],
  },
  {
    name: "pasted-key-taken-twice",
    where: "planRows",
    mutation: remove(at("if", "twice")),
    caughtBy: [suite("test/web/attribute-paste.test.ts")],
  },
  {
    name: "command-line-prints-control-characters",
    where: "escapeControls",
    mutation: keep("consequent", at("conditional")),
    caughtBy: [suite("test/cli/escapes.test.ts")],
  },
  {
    name: "token-of-a-profile-sent-to-another-service",
    where: "settings.settle",
    mutation: keep("consequent", at("conditional", "token")),
    caughtBy: [suite("test/cli/profiles.test.ts")],
  },
  {
    name: "csv-cell-run-as-a-formula",
    where: "formatCsvCell",
    mutation: keep("alternate", at("conditional", "FORMULA")),
    caughtBy: [suite("test/web/separated.test.ts")],
  },
  {
    name: "breaking-change-proposed-as-a-minor-version",
    where: "findVersionStep",
    mutation: replace(at("call", "findIndex"), "1"),
    caughtBy: [suite("test/web/next-version.test.ts")],
  },
  {
    name: "page-left-listed-twice",
    where: "addPlace",
    mutation: keep("callee.object", at("call", "filter")),
    caughtBy: [suite("test/web/recent-places.test.ts")],
  },
];
