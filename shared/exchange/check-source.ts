import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { firstIllFormed } from "../domain/well-formed.ts";

/** `invalid_content` for a value that nests too deep or holds text that is no well-formed Unicode. */
export function checkSource(value: unknown): void {
  if (isDeeper(value, LIMITS.jsonDepth)) {
    throw new Problem("invalid_content", `nothing was imported: it nests deeper than ${LIMITS.jsonDepth} levels`);
  }
  const pointer = firstIllFormed(value);
  if (pointer === undefined) return;
  throw new Problem("invalid_content", "nothing was imported: the source holds a text that is no well-formed Unicode", {
    errors: [{ pointer, detail: "has half a surrogate pair" }],
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
