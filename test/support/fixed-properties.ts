import fc from "fast-check";
import { countOfRun } from "./chance.ts";

// A property that asks for no seed of its own tells the one it failed with.
if (process.env.METACTION_SEED !== "new") fc.configureGlobal({ seed: countOfRun("METACTION_SEED", 1) });
