import type { JsonObject } from "../actions/describe/json-schema.ts";
import { LIMITS } from "../domain/limits.ts";
import { UUID_PATTERN } from "../domain/refs.ts";
import { FORM_SUFFIX } from "./content-negotiation.ts";

const revisionTag = '"<model id>-<revision>"';

export const HEADERS = {
  requestId: {
    description: "The id of this call in the log of the service.",
    schema: { type: "string" },
  },
  etag: {
    description: `The revision of the model: \`${revisionTag}\`, followed by \`-ndjson\` and \`-gzip\` if the answer has that form.`,
    schema: { type: "string" },
  },
  replayed: {
    description: "`true` if this is the stored answer of an earlier call with the same idempotency key.",
    schema: { type: "string", enum: ["true"] },
  },
  link: {
    description: 'The next page: `<url>; rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: "string" },
  },
  location: {
    description: "The call that answers the state of the job, as a relative reference.",
    schema: { type: "string" },
  },
  status: {
    description: 'The same call as a link: `<url>; rel="status"` (RFC 8631).',
    schema: { type: "string" },
  },
  retryAfter: { description: "Seconds to wait before a retry.", schema: { type: "integer" } },
  rateLimit: {
    description: 'The quota that was exceeded: `"<name>";r=0;t=<seconds to wait>`. Absent if the store is busy.',
    schema: { type: "string" },
  },
  rateLimitPolicy: {
    description:
      'The policy of that quota: `"<name>";q=<quota>;w=<seconds>` (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: "string" },
  },
  authenticate: {
    description: "The authentication scheme: `Bearer`, with `error` if the token is not sufficient (RFC 6750).",
    schema: { type: "string" },
  },
} as const satisfies Record<string, JsonObject>;

/** Returns a reference to a response header. */
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

/** The pattern of empty list members: additional commas are allowed (RFC 9110 section 5.6.1). */
const COMMAS = "[ ,]*";

const toListPattern = (member: string) => `${COMMAS}${member}( *,${COMMAS}${member})*${COMMAS}`;

/** Returns the pattern of an entity tag, in any of its forms. `id` is the pattern of the ledger id. */
const toTagPattern = (id: string) => `"${id}-\\d{1,15}(\\.\\d{1,15})?(${FORM_SUFFIX.rows})?(${FORM_SUFFIX.gzip})?"`;

const createIfMatch = (description: string, id: string) =>
  createHeader("If-Match", description, { type: "string", pattern: `^${COMMAS}${toTagPattern(id)}${COMMAS}$` });

export const CONTROL_PARAMETERS = {
  ifMatch: createIfMatch(`Run only if the model is at this revision: \`${revisionTag}\`; otherwise 412.`, UUID_PATTERN),
  ifMatchOfTags: createIfMatch(
    'Run only if the tags are at this revision: `"tags-<revision>"`; otherwise 412.',
    "tags",
  ),
  ifMatchOfIdentity: createIfMatch(
    'Run only if users, actors and roles are at this revision: `"identity-<revision>"`; otherwise 412.',
    "identity",
  ),
  ifMatchOfEach: createHeader(
    "If-Match",
    `Run only if each of these is at its revision, one tag for each: \`${revisionTag}\`; otherwise 412.`,
    { type: "string", pattern: `^${toListPattern(toTagPattern(`(${UUID_PATTERN}|tags|identity)`))}$` },
  ),
  ifNoneMatch: createHeader("If-None-Match", `Answer 304 if the model is at this revision: \`${revisionTag}\`.`, {
    type: "string",
    pattern: `^(${toListPattern('(\\*|(W/)?"[!#-~]*")')})?$`,
  }),
  dryRun: createHeader("Dry-Run", "`true`: dry run. Do everything except the commit, and answer the changes.", {
    type: "string",
    enum: ["true", "false"],
  }),
  idempotencyKey: createHeader(
    "Idempotency-Key",
    `Makes a retry safe: the same caller, action, key and payload get the stored answer again, for ${LIMITS.idempotencyHours} hours. ` +
      `A key in double quotes is the same as the bare key. Not allowed with \`Dry-Run\`, which changes nothing.`,
    { type: "string", pattern: "^[!-~]+$", maxLength: LIMITS.idempotencyKeyCharacters },
  ),
  run: createHeader("Run", "The run that the commit belongs to: `id:<id>`, as `model/run_begin` answers the id.", {
    type: "string",
    pattern: `^(id:)?${UUID_PATTERN}$`,
  }),
  requestId: createHeader(
    "X-Request-Id",
    "An id of the caller for this call, which the log and the audit log have as `clientRequestId`.",
    {
      type: "string",
    },
  ),
} as const satisfies Record<string, JsonObject>;

/** Returns a reference to a control header. */
export function toControlRef(name: keyof typeof CONTROL_PARAMETERS): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
