import * as administration from "./administration.ts";
import * as changes from "./changes.ts";
import * as frame from "./frame.ts";
import * as structure from "./structure.ts";

/** All English texts. They define which texts another language has to have. */
export const ENGLISH = { ...administration, ...changes, ...frame, ...structure };
