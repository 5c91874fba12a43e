import { describedChoice } from "./described-choice.ts";
import { valueType } from "./value-type.ts";

/** The formats in which the difference of two models is written, with what they are called and written as. */
export const DIFFERENCE_FORMATS = {
  postgresql: {
    mediaType: "application/sql",
    text: "a draft of the migration of a PostgreSQL that has the left model; steps that lose something or that rows may refuse are commented out",
  },
  markdown: { mediaType: "text/markdown", text: "a report for people, such as the text of a pull request" },
} as const satisfies Readonly<Record<string, { readonly mediaType: string; readonly text: string }>>;

/** The name of a format of differences. */
export type DifferenceFormat = keyof typeof DIFFERENCE_FORMATS;

const DIFFERENCE_FORMAT_NAMES = Object.keys(DIFFERENCE_FORMATS) as [DifferenceFormat, ...DifferenceFormat[]];

/** A format of differences, as a parameter. */
export const differenceFormat = valueType<DifferenceFormat>({
  id: "DifferenceFormat",
  json: "string",
  description: `A format to write a difference in: ${DIFFERENCE_FORMAT_NAMES.map((name) => `\`${name}\` is ${DIFFERENCE_FORMATS[name].text}`).join("; ")}.`,
  schema: () => describedChoice(DIFFERENCE_FORMATS),
});
