import type { Action } from "../actions/contract/action.ts";
import { type Controls, NO_CONTROLS } from "../actions/contract/controls.ts";
import type { RawPayload, UnreadPayload } from "../actions/contract/payload.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem, problemOnly } from "../domain/problems.ts";
import { acceptableType } from "./accept.ts";
import { readQuery } from "./query.ts";
import { headerOf, type ReceivedRequest, type RequestHeaders } from "./request.ts";

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
  const head = await readHead(request, action).catch(problemOnly);
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
  const form = acceptableType(headerOf(headers, "accept"), rows ? [mediaType, NDJSON] : [mediaType]);
  const asRows = form === NDJSON;
  return { asRows, query: readQuery(query), controls: await readControls(headers, asRows) };
}

/** Few calls have controls, so the code is loaded for them alone. */
async function readControls(headers: RequestHeaders, asRows: boolean): Promise<Controls> {
  if (CONTROLS.every((name) => headers[name] === undefined)) return NO_CONTROLS;
  const [{ controlsFrom }, { askedForm }] = await Promise.all([
    import("./controls-from-headers.ts"),
    import("./entity-tags.ts"),
  ]);
  return controlsFrom(headers, askedForm(headers, asRows));
}

const CONTROLS = ["if-match", "if-none-match", "dry-run", "idempotency-key"];
