import { LIMITS } from "../domain/limits.ts";
import { type Fault, Problem } from "../domain/problems.ts";
import { createWarningRows, type Warning, type WarningCode } from "../domain/warnings.ts";
import { clipped } from "./quoted.ts";

/** Takes down what a reader notices in a source; `place` is a JSON pointer below the part that is being read. */
export interface Findings {
  /** Something that forbids the import. */
  fault(place: string, detail: string): void;
  /** Something recognised that was changed or not carried over. */
  warn(place: string, code: WarningCode, detail: string): void;
  /** The findings for a part of the source, in the same list; `file` names the file when the part lies in one of its own. */
  at(place: string, file?: string): Findings;
}

/** The whole list of one import. */
export interface FindingList extends Findings {
  /** `invalid_content` listing the faults, at most `LIMITS.importProblems`, when there are any. */
  throwFaults(): void;
  /** All warnings, equal ones in one row. */
  warnings(): readonly Warning[];
}

/** A sentence may repeat what the source says, and a place has its names, which may be of any length. */
const DETAIL_CHARACTERS = 1_000;
const POINTER_CHARACTERS = 10_000;

/** An empty list. */
export function createFindings(): FindingList {
  const faults: Fault[] = [];
  const warnings = createWarningRows();
  let faultCount = 0;

  const fault = ({ pointer, detail }: Fault): void => {
    faultCount++;
    if (faults.length === LIMITS.importProblems) return;
    faults.push({ pointer: clipped(pointer, POINTER_CHARACTERS), detail: clipped(detail, DETAIL_CHARACTERS) });
  };
  const under = (base: string, file: string | undefined): Findings => {
    const said = (detail: string): string => (file === undefined ? detail : `${detail} (in ${file})`);
    return {
      fault: (place, detail) => fault({ pointer: base + place, detail: said(detail) }),
      warn: (place, code, detail) => warnings.add(code, said(detail), base + place),
      at: (place, inner) => under(base + place, inner ?? file),
    };
  };

  return {
    ...under("", undefined),
    throwFaults: () => {
      if (faultCount > 0) throw new Problem("invalid_content", summary(faultCount), { errors: faults });
    },
    warnings: warnings.rows,
  };
}

function summary(count: number): string {
  const listed = count > LIMITS.importProblems ? `, of which the first ${LIMITS.importProblems} are listed` : "";
  return `nothing was imported: the source has ${count} ${count === 1 ? "problem" : "problems"}${listed}`;
}
