import type { Translations } from "../en/words.ts";
import * as administration from "./administration.ts";
import * as changes from "./changes.ts";
import * as frame from "./frame.ts";
import * as structure from "./structure.ts";

export const FRENCH: Translations = { ...administration, ...changes, ...frame, ...structure };
