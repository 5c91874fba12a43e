import type middy from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import { Problem } from "../../shared/domain/problems.ts";
import { jsonTextOf, requireWellFormed } from "../../shared/http/guards.ts";
import type { PlainRequest, ReadRequest } from "../../shared/http/request.ts";

/** The request inside the chain, whose body goes from bytes to text to a JSON value. */
export type ChainEvent = { -readonly [K in keyof ReadRequest]: ReadRequest[K] };

/**
 * Middy's JSON body parser with guards around it. Whatever is wrong with a body becomes the event's `fault`, because the
 * parser's own 415 and 422 would come before it is known whether the path exists and who calls.
 */
export function jsonBody(): middy.MiddlewareObj<ChainEvent> {
  // The guards have tested the media type already, more strictly.
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: (request) => {
      const { event } = request;
      try {
        if (event.fault) throw event.fault;
        const text = jsonTextOf(event.body as PlainRequest["body"], event.headers);
        event.body = text;
        if (text === undefined) return;
        parse(() => parser.before?.(request as never));
        requireWellFormed(event.body, text);
      } catch (fault) {
        if (!(fault instanceof Problem)) throw fault;
        event.fault = fault;
        event.body = undefined;
      }
    },
  };
}

/** The parser refuses what is no JSON and names that could reach a prototype; both say so in their message. */
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
