import httpJsonBodyParser from "@middy/http-json-body-parser";
import { Problem } from "../domain/problems.ts";
import { readJsonText, requireWellFormed } from "../http/guards.ts";
import type { PlainRequest } from "../http/request.ts";

// The guards have tested the media type already, more strictly.
const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * The JSON value of a body of at most `mostBytes`, read by middy's JSON body parser with guards around it; a `Problem`
 * says what is wrong with it. The parser is no step of the chain: there it would work for everybody, and its own 415
 * and 422 would come before it is known whether the path exists and who calls.
 */
export function readJsonBody(request: PlainRequest, mostBytes: number): unknown {
  const text = readJsonText(request, mostBytes);
  const event: { readonly headers: object; body: unknown } = { headers: request.headers, body: text };
  parse(() => parser.before?.({ event } as never));
  requireWellFormed(event.body, text);
  return event.body;
}

/** Runs the parser, which refuses a text that is no JSON and names that could reach a prototype; its message says which. */
function parse(parser: () => unknown): void {
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
