import httpJsonBodyParser from "@middy/http-json-body-parser";
import { Problem } from "../domain/problems.ts";
import { readJsonText, requireWellFormed } from "../http/guards.ts";
import type { PlainRequest } from "../http/request.ts";

// The guards have already checked the media type, more strictly.
const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * Parses a JSON body of at most `mostBytes` with middy's JSON body parser and guards around it. Throws a `Problem` if
 * it is not valid. The parser is not a step of the chain: there it would parse the body of every caller, and answer
 * 415 and 422 before the path and the caller are known.
 */
export function readJsonBody(request: PlainRequest, mostBytes: number): unknown {
  const text = readJsonText(request, mostBytes);
  const event: { readonly headers: object; body: unknown } = { headers: request.headers, body: text };
  runParser(() => parser.before?.({ event } as never));
  requireWellFormed(event.body, text);
  return event.body;
}

/** Runs the parser. It refuses a text that is not JSON, and names that could reach a prototype. */
function runParser(parser: () => unknown): void {
  try {
    parser();
  } catch (error) {
    const isForbidden = error instanceof Error && error.message.startsWith("Forbidden key");
    throw new Problem(
      "bad_request",
      isForbidden
        ? "The body has a member __proto__ or constructor.prototype, which no parameter has"
        : "The body is not well-formed JSON",
    );
  }
}
