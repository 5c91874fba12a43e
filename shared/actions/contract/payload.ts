import type { Kind } from "../../domain/kinds.ts";
import type { Ref } from "../../domain/refs.ts";

/** The query pairs of a call in order and its parsed body, before anything is known about the action. */
export interface RawPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** The payload of a call, not yet read. */
export interface UnreadPayload {
  /** True where reading it costs next to nothing, so that it may be read while it is looked up who calls. */
  readonly isShort: boolean;
  /**
   * The payload, the same each time; rejects with a `Problem` where none can be read: size, media type, malformed JSON,
   * a control.
   */
  readonly read: () => Promise<RawPayload>;
}

/** The payload of a caller who hands over values, not bytes. */
export function unread(body: unknown, query: RawPayload["query"] = []): UnreadPayload {
  return { isShort: true, read: async () => ({ query, body }) };
}

/** Checked parameters: refs of the addressed path, outermost first, and the input of `run`. */
export interface Payload {
  readonly path: readonly { readonly kind: Kind; readonly ref: Ref }[];
  readonly input: Readonly<Record<string, unknown>>;
}
