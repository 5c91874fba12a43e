import type { Action } from "../actions/contract/action.ts";
import {
  type Controls,
  type ExpectedRevision,
  NO_CONTROLS,
  type RawPayload,
  type UnreadPayload,
} from "../actions/contract/call.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem, requireProblem } from "../domain/problems.ts";
import { UUID_PATTERN } from "../domain/refs.ts";
import {
  type AskedForm,
  chooseMediaType,
  type EntityTag,
  getAskedForm,
  parseTags,
  stripForm,
  toPlainTag,
} from "./content-negotiation.ts";
import { getHeader, type ReceivedRequest, type RequestHeaders, readQuery } from "./request.ts";

/** The parts of a request that `dispatch` receives. */
export interface CallParts {
  readonly payload: UnreadPayload;
  readonly controls: Controls;
  readonly asRows: boolean;
}

/** Newline-delimited JSON: each row of a list on a separate line. */
export const NDJSON = "application/x-ndjson";

/** The parser of bodies, which a call without a body does not load. Cached, because each `import()` resolves again. */
let bodyParser: Promise<typeof import("./json-body.ts")> | undefined;

/** Reads the controls. The payload reader throws faults: only callers with rights see them. */
export function readCall(request: ReceivedRequest, action: Action): CallParts {
  const head = readHead(request, action);
  const bytes = request.body?.length ?? 0;
  const load = async (): Promise<RawPayload> => {
    if (head instanceof Problem) throw head;
    if (request.fault) throw request.fault;
    const mostBytes = action.rule === "public" ? LIMITS.shortBodyBytes : LIMITS.requestBytes;
    if (bytes === 0) return { query: head.query, body: undefined };
    bodyParser ??= import("./json-body.ts");
    return { query: head.query, body: (await bodyParser).readJsonBody(request, mostBytes) };
  };
  let payload: Promise<RawPayload> | undefined;
  return {
    payload: {
      bytes,
      read: () => {
        payload ??= load();
        return payload;
      },
    },
    controls: head instanceof Problem ? NO_CONTROLS : head.controls,
    asRows: !(head instanceof Problem) && head.asRows,
  };
}

const CONTROL_HEADERS = ["if-match", "if-none-match", "dry-run", "idempotency-key", "run"];

function readHead({ headers, query }: ReceivedRequest, { output: { mediaType, rows } }: Action) {
  try {
    const accept = getHeader(headers, "accept");
    const mediaTypes = [mediaType, ...(rows ? [NDJSON] : [])] as const;
    const asRows = accept !== undefined && chooseMediaType(accept, mediaTypes) === NDJSON;
    const hasControls = CONTROL_HEADERS.some((name) => headers[name] !== undefined);
    const controls = hasControls ? parseControls(headers, getAskedForm(headers, asRows)) : NO_CONTROLS;
    return { asRows, query: query === "" ? [] : readQuery(query), controls };
  } catch (error) {
    return requireProblem(error);
  }
}

/** An entity tag: model id, `tags` or `identity`, revision, and revision of global tags if they are shown. */
const TAG = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|tags|identity)-(\d{1,15})(?:\.\d{1,15})?$/i;

const ETAG_FORM = 'send "<model id>-<revision>" as in the ETag header';

/** Parses the controls of a call. Throws `bad_precondition` or `bad_request`. */
export function parseControls(headers: RequestHeaders, form: AskedForm): Controls {
  const ifMatch = getHeader(headers, "if-match");
  const ifNoneMatch = getHeader(headers, "if-none-match");
  const dryRun = getHeader(headers, "dry-run");
  const idempotencyKey = getHeader(headers, "idempotency-key");
  const run = getHeader(headers, "run");
  return {
    ifMatch: ifMatch === undefined ? [] : parseIfMatch(ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? [] : parseIfNoneMatch(ifNoneMatch, form),
    dryRun: dryRun !== undefined && parseDryRun(dryRun),
    ...(idempotencyKey !== undefined && { idempotencyKey: parseIdempotencyKey(idempotencyKey) }),
    ...(run !== undefined && { run: parseRun(run) }),
  };
}

function parseIfMatch(header: string): readonly ExpectedRevision[] {
  const tags = requireTags("If-Match", header, ETAG_FORM);
  if (tags.length === 0) throw createNoRevisionProblem(header, "does not name a revision");
  return tags.map(parseExpectedRevision);
}

/** Parses an entity tag of `If-Match`. Only strong tags are allowed (RFC 9110 section 13.1.1). */
function parseExpectedRevision({ opaque, isWeak }: EntityTag): ExpectedRevision {
  if (opaque === "*") throw createNoRevisionProblem(opaque, "does not name a revision");
  if (isWeak) throw createNoRevisionProblem(`W/"${opaque}"`, "is a weak tag");
  const [, ledgerId, revision] = TAG.exec(stripForm(opaque)) ?? [];
  if (ledgerId === undefined || revision === undefined)
    throw createNoRevisionProblem(`"${opaque}"`, "is not an entity tag of a model");
  return { ledgerId: ledgerId.toLowerCase(), revision: Number(revision) };
}

function createNoRevisionProblem(tag: string, reason: string): Problem {
  return new Problem("bad_precondition", `If-Match: ${tag.slice(0, 80)} ${reason}; ${ETAG_FORM}`);
}

/** Parses the tags of `If-None-Match`; the comparison is weak (RFC 9110 section 13.1.2), so `W/` is dropped. */
function parseIfNoneMatch(header: string, form: AskedForm): readonly string[] {
  const tags = requireTags("If-None-Match", header, "send it in double quotes, as in the ETag header");
  return tags.map(({ opaque }) => toPlainTag(opaque, form));
}

function requireTags(name: string, header: string, advice: string): readonly EntityTag[] {
  const tags = parseTags(header);
  if (typeof tags !== "string") return tags;
  throw new Problem("bad_precondition", `${name}: ${tags.slice(0, 80)} is not an entity tag; ${advice}`);
}

function parseDryRun(value: string) {
  if (value === "true" || value === "false") return value === "true";
  throw new Problem("bad_request", `Dry-Run: ${value.slice(0, 80)} must be true or false`);
}

/** Parses the ref of a run, or its bare id. */
function parseRun(header: string): string {
  const [, id] = new RegExp(`^(?:id:)?(${UUID_PATTERN})$`).exec(header) ?? [];
  if (id !== undefined) return id.toLowerCase();
  throw new Problem("bad_request", `Run: ${header.slice(0, 80)} must be id:<uuid>, as model/run_begin answers the id`);
}

/** Parses an idempotency key. The string of RFC 9651, in double quotes, and the bare text are the same key. */
function parseIdempotencyKey(header: string) {
  const value = /^"(.+)"$/.exec(header)?.[1]?.replace(/\\(["\\])/g, "$1") ?? header;
  if (/^[!-~]+$/.test(value) && value.length <= LIMITS.idempotencyKeyCharacters) return value;
  throw new Problem(
    "bad_request",
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters`,
  );
}
