import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";

/**
 * Parses a query string into pairs, decoded once as `application/x-www-form-urlencoded`. Throws `too_large` above
 * `LIMITS.queryBytes`, and `bad_request` for text that is not ASCII, not percent-encoded or not well-formed UTF-8.
 */
export function readQuery(query: string): readonly (readonly [name: string, value: string])[] {
  if (query === "") return [];
  if (query.length > LIMITS.queryBytes) {
    throw new Problem(
      "too_large",
      `The query string is longer than ${LIMITS.queryBytes} bytes; send the parameters as a JSON body`,
    );
  }
  if (!/^[!-~]*$/.test(query)) {
    throw new Problem("bad_request", "The query string has characters that must be percent-encoded");
  }
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0
        ? ([decodeQueryText(pair), ""] as const)
        : ([decodeQueryText(pair.slice(0, equals)), decodeQueryText(pair.slice(equals + 1))] as const);
    });
}

function decodeQueryText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new Problem("bad_request", `"${text.slice(0, 80)}" in the query string is not percent-encoded UTF-8`);
  }
}

/** Formats parameters as a query string. Lists and objects become JSON; absent values are omitted. */
export function writeQuery(parameters: Iterable<readonly [name: string, value: unknown]>): string {
  return [...parameters]
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(toQueryText(value))}`)
    .join("&");
}

function toQueryText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
