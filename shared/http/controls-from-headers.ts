import { type Controls, NO_CONTROLS, type Pin } from "../actions/controls.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { headerOf, type RequestHeaders } from "./request.ts";

/** An entity tag of ours: model id, `tags` or `identity`, revision, and where global tags are shown their revision. */
const TAG = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|tags|identity)-(\d{1,15})(?:\.\d{1,15})?$/i;

/** The controls of a call from its headers; `bad_precondition` or `bad_request` for a value that is not well-formed. */
export function controlsFrom(headers: RequestHeaders): Controls {
  const ifMatch = headerOf(headers, "if-match");
  const ifNoneMatch = headerOf(headers, "if-none-match");
  const dryRun = headerOf(headers, "dry-run");
  const idempotencyKey = headerOf(headers, "idempotency-key");
  if ((ifMatch ?? ifNoneMatch ?? dryRun ?? idempotencyKey) === undefined) return NO_CONTROLS;
  return {
    ifMatch: ifMatch === undefined ? [] : ifMatch.split(",").map(pinOf),
    ifNoneMatch: ifNoneMatch === undefined ? [] : ifNoneMatch.split(",").map(tagOf),
    dryRun: dryRun !== undefined && flagOf(dryRun),
    ...(idempotencyKey !== undefined && { idempotencyKey: checkedKey(idempotencyKey) }),
  };
}

/** Strong comparison only (RFC 9110 section 13.1.1), and of named revisions: `*` would pin nothing. */
function pinOf(member: string): Pin {
  const tag = member.trim();
  const fault = (why: string) =>
    new Problem(
      "bad_precondition",
      `If-Match: ${tag.slice(0, 80)} ${why}; send "<model id>-<revision>" as the ETag header gave it`,
    );
  if (tag === "*") throw fault("names no revision");
  if (tag.startsWith("W/")) throw fault("is a weak tag");
  const [, modelId, revision] = TAG.exec(unquoted(tag) ?? "") ?? [];
  if (modelId === undefined || revision === undefined) throw fault("is no entity tag of a model");
  return { modelId: modelId.toLowerCase(), revision: Number(revision) };
}

/** Weak comparison (RFC 9110 section 13.1.2): the mark is dropped, and a tag that is not ours matches nothing. */
function tagOf(member: string): string {
  const tag = member.trim();
  const opaque = tag === "*" ? tag : unquoted(tag.startsWith("W/") ? tag.slice(2) : tag);
  if (opaque !== undefined) return opaque;
  throw new Problem(
    "bad_precondition",
    `If-None-Match: ${tag.slice(0, 80)} is no entity tag; send it in double quotes, as the ETag header gave it`,
  );
}

/** What stands between double quotes (RFC 9110 section 8.8.3). */
function unquoted(tag: string): string | undefined {
  return /^"([!#-~]*)"$/.exec(tag)?.[1];
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
