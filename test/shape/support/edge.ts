import type { CheckedWorld } from "../../actions/support/checked-world.ts";

/** Runs into one limit: a call at the limit goes well, and a call one over it does not. */
export type Edge = (world: CheckedWorld) => Promise<void>;
