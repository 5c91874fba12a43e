import type { Actions } from "../client/actions.ts";

type Warnings = Actions["model"]["model_export_as"]["output"]["warnings"];

/** A line for each sort of what is not in a file. */
export function linesOf(warnings: Warnings): readonly string[] {
  return warnings.map(({ code, detail, count, pointers: [first] }) => {
    const times = count > 1 ? ` (${count} times)` : "";
    return `${code}: ${detail}${times}${first === undefined ? "" : `, first at ${first === "" ? "the model" : first}`}`;
  });
}
