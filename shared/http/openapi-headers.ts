import type { JsonObject } from "../actions/describe/json-schema.ts";
import { LIMITS } from "../domain/limits.ts";
import { UUID_PATTERN } from "../domain/refs.ts";
import { FORM_SUFFIX } from "./entity-tags.ts";

const revisionTag = '"<model id>-<revision>"';

/** Response headers, as components. */
export const HEADERS = {
  requestId: {
    description: "Names this call in the service's log; the caller's own when it sent one.",
    schema: { type: "string" },
  },
  etag: {
    description: `The model's revision: \`${revisionTag}\`, followed by \`-ndjson\` and \`-gzip\` where the answer has that form.`,
    schema: { type: "string" },
  },
  replayed: {
    description: "`true` on the stored answer of an earlier call with the same idempotency key.",
    schema: { type: "string", enum: ["true"] },
  },
  link: {
    description: 'Where the next page is: `<url>; rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: "string" },
  },
  retryAfter: { description: "Seconds to wait before the call is sent again.", schema: { type: "integer" } },
  authenticate: {
    description:
      "The scheme a token is sent by: `Bearer`, with `error` where the token that was sent is not enough (RFC 6750).",
    schema: { type: "string" },
  },
} as const satisfies Record<string, JsonObject>;

/** A reference to a response header. */
export function toHeaderRef(name: keyof typeof HEADERS): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

const createHeader = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
});

/** Where members of a list may have commas around them that stand for nothing (RFC 9110 section 5.6.1). */
const COMMAS = "[ ,]*";

/** The pattern of one or more members with commas between. */
const toListPattern = (member: string) => `${COMMAS}${member}( *,${COMMAS}${member})*${COMMAS}`;

/** The pattern of an entity tag of a ledger with such an id, in any of its forms. */
const toTagPattern = (of: string) => `"${of}-\\d{1,15}(\\.\\d{1,15})?(${FORM_SUFFIX.rows})?(${FORM_SUFFIX.gzip})?"`;

const createIfMatch = (description: string, of: string) =>
  createHeader("If-Match", description, { type: "string", pattern: `^${COMMAS}${toTagPattern(of)}${COMMAS}$` });

/** The control headers of a request, as components. */
export const CONTROL_PARAMETERS = {
  ifMatch: createIfMatch(`Run only while the model is at this revision: \`${revisionTag}\`; else 412.`, UUID_PATTERN),
  ifMatchOfTags: createIfMatch('Run only while the tags are at this revision: `"tags-<revision>"`; else 412.', "tags"),
  ifMatchOfIdentity: createIfMatch(
    'Run only while users, actors and roles are at this revision: `"identity-<revision>"`; else 412.',
    "identity",
  ),
  ifMatchOfEach: createHeader(
    "If-Match",
    `Run only while each of these is at its revision, one tag for each: \`${revisionTag}\`; else 412.`,
    { type: "string", pattern: `^${toListPattern(toTagPattern(`(${UUID_PATTERN}|tags|identity)`))}$` },
  ),
  ifNoneMatch: createHeader("If-None-Match", `Answer 304 while the model is at this revision: \`${revisionTag}\`.`, {
    type: "string",
    pattern: `^(${toListPattern('(\\*|(W/)?"[!#-~]*")')})?$`,
  }),
  dryRun: createHeader("Dry-Run", "`true`: do everything but the commit, and answer what it would change.", {
    type: "string",
    enum: ["true", "false"],
  }),
  idempotencyKey: createHeader(
    "Idempotency-Key",
    `Makes a repeat safe: the same caller, action, key and payload get the stored answer again, for ${LIMITS.idempotencyHours} hours. Not together with \`Dry-Run\`, which leaves nothing to repeat.`,
    { type: "string", pattern: "^[!-~]+$", maxLength: LIMITS.idempotencyKeyCharacters },
  ),
  requestId: createHeader("X-Request-Id", "A name for this call, echoed in the answer and kept in the log.", {
    type: "string",
  }),
} as const satisfies Record<string, JsonObject>;

/** A reference to a control header. */
export function toControlRef(name: keyof typeof CONTROL_PARAMETERS): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
