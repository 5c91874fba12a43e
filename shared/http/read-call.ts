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
import { chooseMediaType } from "./accept.ts";
import { type AskedForm, type EntityTag, getAskedForm, parseTags, stripForm, toPlainTag } from "./entity-tags.ts";
import { readQuery } from "./query.ts";
import { getHeader, type ReceivedRequest, type RequestHeaders } from "./request.ts";

/** The parts of a request that `dispatch` gets. */
export interface CallParts {
  readonly payload: UnreadPayload;
  readonly controls: Controls;
  /** True where the caller wants the rows of a list one by one. */
  readonly asRows: boolean;
}

/** Newline-delimited JSON: every row of a list on a line of its own. */
export const NDJSON = "application/x-ndjson";

/**
 * The payload and controls of a request to an action. A fault of its headers or its query is raised when the payload is
 * read, as a fault of its body is: only a caller who may run the action learns of it.
 */
export async function readCall(request: ReceivedRequest, action: Action): Promise<CallParts> {
  const head = await readHead(request, action).catch(requireProblem);
  const mostBytes = action.rule === "public" ? LIMITS.shortBodyBytes : LIMITS.requestBytes;
  const bytes = request.body?.length ?? 0;
  const read = async (): Promise<RawPayload> => {
    if (head instanceof Problem) throw head;
    if (request.fault) throw request.fault;
    return { query: head.query, body: bytes === 0 ? undefined : await request.readBody(mostBytes) };
  };
  let payload: Promise<RawPayload> | undefined;
  return {
    payload: {
      isShort: bytes <= LIMITS.shortBodyBytes,
      read: () => {
        payload ??= read();
        return payload;
      },
    },
    controls: head instanceof Problem ? NO_CONTROLS : head.controls,
    asRows: !(head instanceof Problem) && head.asRows,
  };
}

/** All of a request but its body. */
async function readHead({ headers, query }: ReceivedRequest, { output: { mediaType, rows } }: Action) {
  const form = chooseMediaType(getHeader(headers, "accept"), rows ? [mediaType, NDJSON] : [mediaType]);
  const asRows = form === NDJSON;
  return { asRows, query: readQuery(query), controls: readControls(headers, asRows) };
}

function readControls(headers: RequestHeaders, asRows: boolean): Controls {
  if (CONTROL_HEADERS.every((name) => headers[name] === undefined)) return NO_CONTROLS;
  return parseControls(headers, getAskedForm(headers, asRows));
}

const CONTROL_HEADERS = ["if-match", "if-none-match", "dry-run", "idempotency-key"];

/** An entity tag of ours: model id, `tags` or `identity`, revision, and where global tags are shown their revision. */
const TAG = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|tags|identity)-(\d{1,15})(?:\.\d{1,15})?$/i;

const ETAG_FORM = 'send "<model id>-<revision>" as the ETag header gave it';

/** The controls of a call from its headers; `bad_precondition` or `bad_request` for a value that is not well-formed. */
export function parseControls(headers: RequestHeaders, form: AskedForm): Controls {
  const ifMatch = getHeader(headers, "if-match");
  const ifNoneMatch = getHeader(headers, "if-none-match");
  const dryRun = getHeader(headers, "dry-run");
  const idempotencyKey = getHeader(headers, "idempotency-key");
  return {
    ifMatch: ifMatch === undefined ? [] : parseIfMatch(ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? [] : parseIfNoneMatch(ifNoneMatch, form),
    dryRun: dryRun !== undefined && parseDryRun(dryRun),
    ...(idempotencyKey !== undefined && { idempotencyKey: parseIdempotencyKey(idempotencyKey) }),
  };
}

function parseIfMatch(header: string): readonly ExpectedRevision[] {
  const tags = requireTags("If-Match", header, ETAG_FORM);
  if (tags.length === 0) throw createNoRevisionProblem(header, "names no revision");
  return tags.map(parseExpectedRevision);
}

/** The revision an entity tag of `If-Match` names. Strong comparison only (RFC 9110 section 13.1.1); `*` would name none. */
function parseExpectedRevision({ opaque, isWeak }: EntityTag): ExpectedRevision {
  if (opaque === "*") throw createNoRevisionProblem(opaque, "names no revision");
  if (isWeak) throw createNoRevisionProblem(`W/"${opaque}"`, "is a weak tag");
  const [, ledgerId, revision] = TAG.exec(stripForm(opaque)) ?? [];
  if (ledgerId === undefined || revision === undefined)
    throw createNoRevisionProblem(`"${opaque}"`, "is no entity tag of a model");
  return { ledgerId: ledgerId.toLowerCase(), revision: Number(revision) };
}

function createNoRevisionProblem(tag: string, why: string): Problem {
  return new Problem("bad_precondition", `If-Match: ${tag.slice(0, 80)} ${why}; ${ETAG_FORM}`);
}

/**
 * The entity tags of `If-None-Match`. Weak comparison (RFC 9110 section 13.1.2): the `W/` is dropped, and a tag that is
 * not ours matches nothing.
 */
function parseIfNoneMatch(header: string, form: AskedForm): readonly string[] {
  const tags = requireTags("If-None-Match", header, "send it in double quotes, as the ETag header gave it");
  return tags.map(({ opaque }) => toPlainTag(opaque, form));
}

function requireTags(name: string, header: string, wayOut: string): readonly EntityTag[] {
  const tags = parseTags(header);
  if (typeof tags !== "string") return tags;
  throw new Problem("bad_precondition", `${name}: ${tags.slice(0, 80)} is no entity tag; ${wayOut}`);
}

function parseDryRun(value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new Problem("bad_request", `Dry-Run: ${value.slice(0, 80)} must be true or false`);
}

function parseIdempotencyKey(value: string): string {
  if (/^[!-~]+$/.test(value) && value.length <= LIMITS.idempotencyKeyCharacters) return value;
  throw new Problem(
    "bad_request",
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters`,
  );
}
