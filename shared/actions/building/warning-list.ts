import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { WARNINGS, type WarningCode } from "../../domain/warnings.ts";
import { namedObject } from "./named-object.ts";

/** The schema of the warnings of an import or an export, equal ones in one row. */
export const warningList = () =>
  z.array(
    namedObject("Warning", {
      code: z.enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]).check(
        z.describe(
          Object.entries(WARNINGS)
            .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
            .join(" "),
        ),
      ),
      detail: z.string(),
      count: z.int().check(z.describe("How many warnings are equal to it.")),
      pointers: z
        .array(z.string())
        .check(z.describe(`The first ${LIMITS.warningPointers} of their places, as JSON pointers.`)),
    }),
  );
