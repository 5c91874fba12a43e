import { LIMITS } from "../../domain/limits.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { createWarningCollector, type Warning, type WarningCode } from "../../domain/warnings.ts";

/** Collects problems and warnings. Paths are JSON pointers relative to the part. */
export interface Diagnostics {
  /** JSON pointer of the part in the source. */
  readonly pointer: string;
  reject(path: string, detail: string): void;
  warn(path: string, code: WarningCode, detail: string): void;
  /** Returns diagnostics for a part of the source. `file` names the file if the part is in a separate file. */
  at(path: string, file?: string): Diagnostics;
}

/** All diagnostics of one import. */
export interface DiagnosticList extends Diagnostics {
  /** Throws `invalid_content` with at most `LIMITS.importProblems` problems, if there are any. */
  throwFaults(): void;
  warnings(): readonly Warning[];
}

const DETAIL_CHARACTERS = 1_000;
const POINTER_CHARACTERS = 10_000;

/** Creates an empty list of diagnostics. */
export function createDiagnostics(): DiagnosticList {
  const faults: Fault[] = [];
  const warnings = createWarningCollector();
  let faultCount = 0;

  const fault = ({ pointer, detail }: Fault) => {
    faultCount++;
    if (faults.length === LIMITS.importProblems) return;
    faults.push({ pointer: clip(pointer, POINTER_CHARACTERS), detail: clip(detail, DETAIL_CHARACTERS) });
  };
  const createAt = (base: string, file: string | undefined): Diagnostics => {
    const formatDetail = (detail: string) => (file === undefined ? detail : `${detail} (in ${file})`);
    return {
      pointer: base,
      reject: (path, detail) => fault({ pointer: base + path, detail: formatDetail(detail) }),
      warn: (path, code, detail) => warnings.add(code, formatDetail(detail), base + path),
      at: (path, innerFile) => createAt(base + path, innerFile ?? file),
    };
  };

  return {
    ...createAt("", undefined),
    throwFaults: () => {
      if (faultCount > 0) throw new Problem("invalid_content", summarizeFaults(faultCount), { errors: faults });
    },
    warnings: warnings.listRows,
  };
}

function summarizeFaults(count: number) {
  const ending = count > LIMITS.importProblems ? `; the first ${LIMITS.importProblems} are listed` : "";
  return `The import failed: the source has ${count} ${count === 1 ? "problem" : "problems"}${ending}`;
}

/** Returns the first `length` UTF-16 units of a text and never splits a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const prefix = text.slice(0, length);
  return prefix.isWellFormed() ? prefix : prefix.slice(0, -1);
}

/** Quotes a text for a message: on one line, at most 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${clip(text, 59)}…` : text);
}

/** Ignores all diagnostics. Used when a source is read a second time. */
export const SILENT_DIAGNOSTICS: Diagnostics = {
  pointer: "",
  reject: () => undefined,
  warn: () => undefined,
  at: () => SILENT_DIAGNOSTICS,
};
