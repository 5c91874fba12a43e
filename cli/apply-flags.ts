import { IMPACTS } from "../shared/domain/compare/difference.ts";
import type { OwnFlag } from "./flags.ts";

/** The flags of `plan` and of `apply` beside the common ones. */
export const APPLY_FLAGS = {
  model: { form: "text", tells: "the model; the one that the document names by its key unless given" },
  create: { form: "switch", tells: "make the model where it is not there" },
  prune: { form: "switch", tells: "delete what the document lacks" },
  format: { form: "text", tells: "the format of the document; told by its own marks unless given" },
  plan: { form: "text", tells: "go on only if this is still the plan; an earlier one tells its name" },
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: refuse such steps and graver ones, with 8",
    values: IMPACTS,
  },
  "fail-fast": { form: "switch", tells: "of a folder: apply nothing more once a model is refused" },
} satisfies Record<string, OwnFlag>;

/** The flags of `pull` beside the common ones. */
export const PULL_FLAGS = {
  format: {
    form: "text",
    tells: "metaction or frictionless, of a new file; one that is there keeps its own",
    values: ["metaction", "frictionless"],
  },
  check: { form: "switch", tells: "write nothing, and end with 8 where the file is not as the model is" },
} satisfies Record<string, OwnFlag>;

/** The flags of `diff` beside the common ones. */
export const DIFF_FLAGS = {
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: end with 8 for such a difference or a graver one",
    values: IMPACTS,
  },
  as: { form: "text", tells: "write the difference as postgresql or markdown" },
} satisfies Record<string, OwnFlag>;

/** The flags of `export` beside the common ones. */
export const EXPORT_FLAGS = {
  as: { form: "text", tells: "a format of others, such as dbml, jsonschema, mermaid, postgresql or html" },
  out: { form: "text", tells: "the file to write, in the place of stdout" },
  version: { form: "text", tells: "a released version of the model" },
  revision: { form: "text", tells: "a revision of the model" },
} satisfies Record<string, OwnFlag>;
