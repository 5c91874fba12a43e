import type { Ambient } from "../actions/call.ts";
import type { Seam } from "./seam.ts";
import type { Waiting } from "./waiting.ts";

/** What the store of one call works with. */
export interface Ground {
  readonly seam: Seam;
  readonly ambient: Ambient;
  readonly waiting: Waiting;
}
