import { type Controls, NO_CONTROLS } from "../actions/controls.ts";
import type { Action } from "../actions/define-action.ts";
import type { RawPayload } from "../actions/payload.ts";
import { Problem } from "../domain/problems.ts";
import { acceptableType } from "./accept.ts";
import { controlsFrom } from "./controls-from-headers.ts";
import { readQuery } from "./query.ts";
import { headerOf, type ReadRequest } from "./request.ts";

/** What `dispatch` is given of a request. */
export interface CallParts {
  readonly payload: RawPayload;
  readonly controls: Controls;
  /** True where the caller wants the rows of a list one by one. */
  readonly asRows: boolean;
}

/** Newline-delimited JSON: every row of a list on a line of its own. */
export const NDJSON = "application/x-ndjson";

/**
 * The payload and controls of a request to an action. What is wrong with either stands in `payload.fault`, so that it is
 * raised only for a caller who may run the action.
 */
export function readCall(request: ReadRequest, action: Action): CallParts {
  try {
    const { mediaType, rows } = action.output;
    const form = acceptableType(headerOf(request.headers, "accept"), rows ? [mediaType, NDJSON] : [mediaType]);
    if (request.fault) throw request.fault;
    return {
      payload: { query: readQuery(request.query), body: request.body },
      controls: controlsFrom(request.headers),
      asRows: form === NDJSON,
    };
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    return { payload: { query: [], body: undefined, fault }, controls: NO_CONTROLS, asRows: false };
  }
}
