import type { Controls, ExpectedRevision } from "../actions/contract/controls.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { type AskedForm, type EntityTag, ofAskedForm, readTags, withoutForm } from "./entity-tags.ts";
import { headerOf, type RequestHeaders } from "./request.ts";

/** An entity tag of ours: model id, `tags` or `identity`, revision, and where global tags are shown their revision. */
const TAG = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|tags|identity)-(\d{1,15})(?:\.\d{1,15})?$/i;

const ETAG_FORM = 'send "<model id>-<revision>" as the ETag header gave it';

/** The controls of a call from its headers; `bad_precondition` or `bad_request` for a value that is not well-formed. */
export function controlsFrom(headers: RequestHeaders, form: AskedForm): Controls {
  const ifMatch = headerOf(headers, "if-match");
  const ifNoneMatch = headerOf(headers, "if-none-match");
  const dryRun = headerOf(headers, "dry-run");
  const idempotencyKey = headerOf(headers, "idempotency-key");
  return {
    ifMatch: ifMatch === undefined ? [] : pinsOf(ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? [] : copiesOf(ifNoneMatch, form),
    dryRun: dryRun !== undefined && flagOf(dryRun),
    ...(idempotencyKey !== undefined && { idempotencyKey: checkedKey(idempotencyKey) }),
  };
}

function pinsOf(header: string): readonly ExpectedRevision[] {
  const tags = tagsOf("If-Match", header, ETAG_FORM);
  if (tags.length === 0) throw noRevision(header, "names no revision");
  return tags.map(expectedRevisionOf);
}

/** The revision an entity tag of `If-Match` names. Strong comparison only (RFC 9110 section 13.1.1); `*` would name none. */
function expectedRevisionOf({ opaque, isWeak }: EntityTag): ExpectedRevision {
  if (opaque === "*") throw noRevision(opaque, "names no revision");
  if (isWeak) throw noRevision(`W/"${opaque}"`, "is a weak tag");
  const [, ledgerId, revision] = TAG.exec(withoutForm(opaque)) ?? [];
  if (ledgerId === undefined || revision === undefined) throw noRevision(`"${opaque}"`, "is no entity tag of a model");
  return { ledgerId: ledgerId.toLowerCase(), revision: Number(revision) };
}

function noRevision(tag: string, why: string): Problem {
  return new Problem("bad_precondition", `If-Match: ${tag.slice(0, 80)} ${why}; ${ETAG_FORM}`);
}

/**
 * The entity tags of `If-None-Match`. Weak comparison (RFC 9110 section 13.1.2): the `W/` is dropped, and a tag that is
 * not ours matches nothing.
 */
function copiesOf(header: string, form: AskedForm): readonly string[] {
  const tags = tagsOf("If-None-Match", header, "send it in double quotes, as the ETag header gave it");
  return tags.map(({ opaque }) => ofAskedForm(opaque, form));
}

function tagsOf(name: string, header: string, wayOut: string): readonly EntityTag[] {
  const tags = readTags(header);
  if (typeof tags !== "string") return tags;
  throw new Problem("bad_precondition", `${name}: ${tags.slice(0, 80)} is no entity tag; ${wayOut}`);
}

function flagOf(value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new Problem("bad_request", `Dry-Run: ${value.slice(0, 80)} must be true or false`);
}

function checkedKey(value: string): string {
  if (/^[!-~]+$/.test(value) && value.length <= LIMITS.idempotencyKeyCharacters) return value;
  throw new Problem(
    "bad_request",
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters`,
  );
}
