import { LIMITS } from "../../domain/limits.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { createWarningCollector, type Warning, type WarningCode } from "../../domain/warnings.ts";

/** Takes down what a reader notices in a source; `place` is a JSON pointer below the part that is being read. */
export interface Diagnostics {
  /** Something that forbids the import. */
  reject(place: string, detail: string): void;
  /** Something recognised that was changed or not carried over. */
  warn(place: string, code: WarningCode, detail: string): void;
  /** The diagnostics for a part of the source, in the same list; `file` names the file when the part lies in one of its own. */
  at(place: string, file?: string): Diagnostics;
}

/** The whole list of one import. */
export interface DiagnosticList extends Diagnostics {
  /** `invalid_content` listing the faults, at most `LIMITS.importProblems`, when there are any. */
  throwFaults(): void;
  /** All warnings, equal ones in one row. */
  warnings(): readonly Warning[];
}

/** A sentence may repeat what the source says, and a place has its names, which may be of any length. */
const DETAIL_CHARACTERS = 1_000;
const POINTER_CHARACTERS = 10_000;

/** An empty list. */
export function createDiagnostics(): DiagnosticList {
  const faults: Fault[] = [];
  const warnings = createWarningCollector();
  let faultCount = 0;

  const fault = ({ pointer, detail }: Fault): void => {
    faultCount++;
    if (faults.length === LIMITS.importProblems) return;
    faults.push({ pointer: clip(pointer, POINTER_CHARACTERS), detail: clip(detail, DETAIL_CHARACTERS) });
  };
  const under = (base: string, file: string | undefined): Diagnostics => {
    const said = (detail: string): string => (file === undefined ? detail : `${detail} (in ${file})`);
    return {
      reject: (place, detail) => fault({ pointer: base + place, detail: said(detail) }),
      warn: (place, code, detail) => warnings.add(code, said(detail), base + place),
      at: (place, inner) => under(base + place, inner ?? file),
    };
  };

  return {
    ...under("", undefined),
    throwFaults: () => {
      if (faultCount > 0) throw new Problem("invalid_content", summarizeFaults(faultCount), { errors: faults });
    },
    warnings: warnings.listRows,
  };
}

function summarizeFaults(count: number): string {
  const listed = count > LIMITS.importProblems ? `, of which the first ${LIMITS.importProblems} are listed` : "";
  return `nothing was imported: the source has ${count} ${count === 1 ? "problem" : "problems"}${listed}`;
}

/** The first `length` UTF-16 units of a text, never half of a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** A text from a source as a sentence may repeat it: quoted, on one line, at most 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${clip(text, 59)}…` : text);
}

/** Diagnostics that nobody reads: those of a source that was read before. */
export const SILENT_DIAGNOSTICS: Diagnostics = {
  reject: () => undefined,
  warn: () => undefined,
  at: () => SILENT_DIAGNOSTICS,
};
