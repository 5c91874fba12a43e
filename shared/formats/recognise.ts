import type { CandidateFormat, RecognisedSource } from "../actions/contract/ports.ts";
import { Problem } from "../domain/problems.ts";
import { type SourceFormat, SURENESS } from "../domain/values/source-formats.ts";
import { isObject } from "./common/json-object.ts";
import { isSqlDialect, recogniseText, SQL } from "./common/source-text.ts";
import { matchOtherFormats } from "./other-formats.ts";
import { SOURCE_READERS } from "./source-readers.ts";
import { findSqlCandidates } from "./sql/dialect-marks.ts";

/** Recognises a format by what a source declares, else by its members. Throws `source_not_recognised`. */
export function recogniseFormat(source: unknown, formatName?: SourceFormat): RecognisedSource {
  const candidates = findCandidates(source, formatName);
  const [first] = candidates;
  const choice = formatName === undefined ? first : candidates.find(({ format }) => format === formatName);
  if (choice?.format === undefined) throw toUnreadableProblem(source, first, formatName);
  const others = candidates.filter((one) => one !== choice);
  const because = choice === first ? choice.because : `format says so; ${choice.because}`;
  return { ...choice, format: choice.format, because, others };
}

function findCandidates(source: unknown, formatName: SourceFormat | undefined): readonly CandidateFormat[] {
  const text = typeof source === "string" ? recogniseText(source) : undefined;
  const isSql = text === SQL || (text === undefined && isSqlDialect(formatName));
  const sql = typeof source === "string" && isSql ? findSqlCandidates(source, formatName) : [];
  // The keys of the table are the names of formats.
  const formats = Object.keys(SOURCE_READERS) as (keyof typeof SOURCE_READERS)[];
  const ownCandidates = formats.flatMap((format): readonly CandidateFormat[] => {
    const match = SOURCE_READERS[format].match(source);
    return match ? [{ format, ...match }] : [];
  });
  const all = [...ownCandidates, ...sql, ...matchOtherFormats(source)];
  return SURENESS.flatMap((level) => all.filter((one) => one.sure === level));
}

function toUnreadableProblem(
  source: unknown,
  first: CandidateFormat | undefined,
  formatName: SourceFormat | undefined,
): Problem {
  if (first?.format !== undefined) {
    const match = `it is ${first.name} (${first.format}), because ${first.because}`;
    return createUnrecognisedProblem(`${match}, and cannot be read as ${formatName}; omit the format, or use that one`);
  }
  if (first) return createUnrecognisedProblem(`it is ${first.name}`);
  if (typeof source !== "string" && !isObject(source)) return createUnrecognisedProblem("it is not an object");
  return createUnrecognisedProblem(
    "it is neither a Table Schema (an object with fields), a Data Package (with resources), an exported model (by its $schema) nor any other format in docs/formats.md",
  );
}

/** Creates the problem of an unreadable source; `reason` completes a sentence. */
export function createUnrecognisedProblem(reason: string): Problem {
  return new Problem("source_not_recognised", `the source cannot be imported: ${reason}`);
}
