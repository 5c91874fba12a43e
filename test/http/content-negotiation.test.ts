import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { chooseMediaType, encode, fitsAsBytes } from "../../shared/http/content-negotiation.ts";

const MEDIA_TYPES = ["application/json", "application/x-ndjson"] as const;

test.each([
  ["*/*", "application/json"],
  ["application/*", "application/json"],
  ["application/x-ndjson, application/json", "application/json"],
  ["application/json;q=0.5, */*", "application/x-ndjson"],
  ["text/html, application/x-ndjson;q=0.1", "application/x-ndjson"],
])("Accept: %s answers the first of the media types with the highest weight, %s", (accept, expected) => {
  expect(chooseMediaType(accept, MEDIA_TYPES)).toBe(expected);
});

test("an answer of compressAboveBytes is sent as it is, and one byte more is compressed", async () => {
  const answerOf = (bytes: number) =>
    encode({ status: 200, headers: {}, body: "x".repeat(bytes) }, { "accept-encoding": "gzip" }, fitsAsBytes);
  expect((await answerOf(LIMITS.compressAboveBytes)).headers).toEqual({});
  expect((await answerOf(LIMITS.compressAboveBytes + 1)).headers).toEqual({ "content-encoding": "gzip" });
});
