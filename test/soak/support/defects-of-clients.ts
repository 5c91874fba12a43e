import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the client library, the command line and the web application. */
export const CLIENT_DEFECTS: Defects = {
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
