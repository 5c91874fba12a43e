import * as z from "zod/mini";
import { SOURCE_FORMAT_NAMES, SURENESS } from "../../domain/source-formats.ts";
import { namedObject } from "./named-object.ts";

const marks = () => ({
  name: z.string().check(z.describe("What it is, in words.")),
  sure: z
    .enum(SURENESS)
    .check(z.describe("`certain`: it says so itself; `likely`: its members are like it; `possible`: they may be.")),
  because: z.string(),
});

/** The schema of how the format of a source was told. */
export const recognisedSource = () =>
  namedObject("RecognisedSource", {
    format: z.enum(SOURCE_FORMAT_NAMES),
    ...marks(),
    others: z
      .array(
        namedObject("CandidateFormat", {
          format: z.optional(z.enum(SOURCE_FORMAT_NAMES).check(z.describe("Absent for a format that is not read."))),
          ...marks(),
        }),
      )
      .check(z.describe("What else it could be, the surest first.")),
  });
