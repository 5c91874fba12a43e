import type { CandidateFormat, RecognisedSource } from "../actions/contract/ports.ts";
import { Problem } from "../domain/problems.ts";
import { type SourceFormat, SURENESS } from "../domain/source-formats.ts";
import { FORMAT_MARKS } from "./format-marks.ts";
import { isObject } from "./json-object.ts";
import { otherFormatsOf } from "./other-formats.ts";
import { sqlCandidates } from "./sql/dialect-marks.ts";
import { isSqlDialect } from "./sql/dialects.ts";
import { otherTextOf, SQL } from "./text-formats.ts";

/**
 * Tells in which format a source is written, by what it says of itself first and by its members then; `wanted` overrules both,
 * where the source can be read so. `source_not_recognised` with the name of what it is instead.
 */
export function recognise(source: unknown, wanted?: SourceFormat): RecognisedSource {
  const candidates = candidatesFor(source, wanted);
  const [first] = candidates;
  const chosen = wanted === undefined ? first : candidates.find(({ format }) => format === wanted);
  if (chosen?.format === undefined) throw unread(source, first, wanted);
  const others = candidates.filter((one) => one !== chosen);
  const because = chosen === first ? chosen.because : `format says so; ${chosen.because}`;
  return { ...chosen, format: chosen.format, because, others };
}

/** Every format that a source may be written in, the surest first. */
function candidatesFor(source: unknown, wanted: SourceFormat | undefined): readonly CandidateFormat[] {
  const text = typeof source === "string" ? otherTextOf(source) : undefined;
  const isSql = text === SQL || (text === undefined && isSqlDialect(wanted));
  const sql = typeof source === "string" && isSql ? sqlCandidates(source, wanted) : [];
  const read = FORMAT_MARKS.flatMap(([format, marks]): readonly CandidateFormat[] => {
    const found = marks(source);
    return found ? [{ format, ...found }] : [];
  });
  const all = [...read, ...sql, ...otherFormatsOf(source)];
  return SURENESS.flatMap((sure) => all.filter((one) => one.sure === sure));
}

function unread(source: unknown, first: CandidateFormat | undefined, wanted: SourceFormat | undefined): Problem {
  if (first?.format !== undefined) {
    const found = `it is ${first.name} (${first.format}), because ${first.because}`;
    return unrecognised(`${found}, and cannot be read as ${wanted}; leave the format out, or name that`);
  }
  if (first) return unrecognised(`it is ${first.name}`);
  if (typeof source !== "string" && !isObject(source)) return unrecognised("it is no object");
  return unrecognised(
    "it is neither a Table Schema (an object with fields), a Data Package (with resources), an exported model (by its $schema) nor anything else that docs/formats.md lists",
  );
}

/** The problem of a source that cannot be read, with the reason as the rest of a sentence. */
export function unrecognised(reason: string): Problem {
  return new Problem("source_not_recognised", `the source cannot be imported: ${reason}`);
}
