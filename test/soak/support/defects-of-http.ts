import { type Defects, suite } from "./defect.ts";
import { at, keep, remove } from "./mutation.ts";

/** Defects at the HTTP transport. */
export const HTTP_DEFECTS: Defects = {
  "coding-that-is-excluded-sent": {
    planted: ["acceptsCoding", keep("left", at("logical", "weight"))],
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  "not-modified-in-another-form": {
    planted: ["toPlainTag", keep("alternate", at("conditional", "rows"))],
    caughtBy: [suite("test/http/entity-tags.test.ts")],
  },
  "plus-in-a-query-kept": {
    planted: ["decodeQueryText", keep("callee.object", at("call", "replaceAll"))],
    caughtBy: [suite("test/http/read-call.test.ts")],
  },
  "body-of-another-type-read": {
    planted: ["readJsonText", remove(at("statement", "requireJson"))],
    caughtBy: [suite("test/http/read-body.test.ts")],
  },
  "every-origin-allowed": {
    planted: ["createCorsHeaders", keep("consequent", at("conditional", "includes"))],
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  "body-of-a-lambda-event-not-decoded": {
    planted: ["requestOf", keep("alternate", at("conditional", "base64"))],
    caughtBy: [suite("test/http/lambda-event.test.ts")],
  },
  "hidden-file-of-the-web-application-served": {
    planted: ["readStaticFiles", keep("left", at("logical", "isFile"))],
    caughtBy: [suite("test/local/web-files.test.ts")],
  },
};
