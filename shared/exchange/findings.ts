import { LIMITS } from "../domain/limits.ts";
import { type Fault, Problem } from "../domain/problems.ts";

/** Takes down what a reader notices in a source; `place` is a JSON pointer below the part that is being read. */
export interface Findings {
  /** Something that forbids the import. */
  fault(place: string, detail: string): void;
  /** Something recognised that was changed or not carried over. */
  warn(place: string, detail: string): void;
  /** The findings for a part of the source, in the same list; `file` names the file when the part lies in one of its own. */
  at(place: string, file?: string): Findings;
}

/** The whole list of one import. */
export interface FindingList extends Findings {
  /** `invalid_content` listing the faults, at most `LIMITS.importProblems`, when there are any. */
  throwFaults(): void;
  /** All warnings up to `LIMITS.importWarningBytes`; a last one counts the rest. */
  warnings(): readonly Fault[];
}

/** An empty list. */
export function createFindings(): FindingList {
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  let faultCount = 0;
  let unlisted = 0;
  let bytes = 0;

  const fault = (found: Fault): void => {
    faultCount++;
    if (faults.length < LIMITS.importProblems) faults.push(found);
  };
  const warn = (found: Fault): void => {
    // The quotes, braces and member names around the two texts.
    bytes += Buffer.byteLength(found.pointer) + Buffer.byteLength(found.detail) + 28;
    if (bytes <= LIMITS.importWarningBytes) warnings.push(found);
    else unlisted++;
  };
  const under = (base: string, file: string | undefined): Findings => {
    const entry = (place: string, detail: string): Fault => ({
      pointer: base + place,
      detail: file === undefined ? detail : `${detail} (in ${file})`,
    });
    return {
      fault: (place, detail) => fault(entry(place, detail)),
      warn: (place, detail) => warn(entry(place, detail)),
      at: (place, inner) => under(base + place, inner ?? file),
    };
  };

  return {
    ...under("", undefined),
    throwFaults: () => {
      if (faultCount > 0) throw new Problem("invalid_content", summary(faultCount), { errors: faults });
    },
    warnings: () =>
      unlisted === 0 ? warnings : [...warnings, { pointer: "", detail: `${unlisted} more warnings are not listed` }],
  };
}

function summary(count: number): string {
  const listed = count > LIMITS.importProblems ? `, of which the first ${LIMITS.importProblems} are listed` : "";
  return `nothing was imported: the source has ${count} ${count === 1 ? "problem" : "problems"}${listed}`;
}
