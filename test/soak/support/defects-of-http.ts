import { type Defect, suite } from "./defect.ts";
import { at, keep, remove } from "./mutation.ts";

/** Defects at the HTTP transport. */
export const HTTP_DEFECTS: readonly Defect[] = [
  {
    name: "coding-that-is-excluded-sent",
    where: "acceptsCoding",
    mutation: keep("left", at("logical", "weight")),
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  {
    name: "not-modified-in-another-form",
    where: "toPlainTag",
    mutation: keep("alternate", at("conditional", "rows")),
    caughtBy: [suite("test/http/entity-tags.test.ts")],
  },
  {
    name: "plus-in-a-query-kept",
    where: "decodeQueryText",
    mutation: keep("callee.object", at("call", "replaceAll")),
    caughtBy: [suite("test/http/read-call.test.ts")],
  },
  {
    name: "body-of-another-type-read",
    where: "readJsonText",
    mutation: remove(at("statement", "requireJson")),
    caughtBy: [suite("test/http/read-body.test.ts")],
  },
  {
    name: "every-origin-allowed",
    where: "createCorsHeaders",
    mutation: keep("consequent", at("conditional", "includes")),
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  {
    name: "body-of-a-lambda-event-not-decoded",
    where: "requestOf",
    mutation: keep("alternate", at("conditional", "base64")),
    caughtBy: [suite("test/http/lambda-event.test.ts")],
  },
  {
    name: "hidden-file-of-the-web-application-served",
    where: "readStaticFiles",
    mutation: keep("left", at("logical", "isFile")),
    caughtBy: [suite("test/local/web-files.test.ts")],
  },
];
