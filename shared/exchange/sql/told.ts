import type { Findings } from "../findings.ts";
import { quoted } from "../quoted.ts";
import { SKIPPED, type SkippedKind } from "./statement-kinds.ts";
import type { Statement } from "./statements.ts";

/** Takes down what is noticed in one statement. */
export interface Told {
  /** The line on which the statement begins. */
  readonly line: number;
  /** A part that is not read, and is lost. */
  unread(detail: string): void;
  /** Something that is no entity of its own. */
  leftOut(what: string): void;
}

/** Takes down what is noticed in a statement, under its line. */
export function toldOf({ line }: Statement, findings: Findings): Told {
  const place = placeOf(line);
  return {
    line,
    unread: (detail) => findings.warn(place, "not_carried_over", detail),
    leftOut: (what) => findings.warn(place, "not_carried_over", `${what} is no entity of its own`),
  };
}

/** Counts a statement that is not read. */
export function countSkipped({ line, tokens }: Statement, skipped: SkippedKind, findings: Findings): void {
  const words = tokens.slice(0, 2).map(({ value }) => value);
  const detail = skipped === "other" ? `${SKIPPED.other}: ${quoted(words.join(" "))}` : SKIPPED[skipped];
  findings.warn(placeOf(line), "not_carried_over", detail);
}

/** The place of a statement in warnings: its line. */
export function placeOf(line: number): string {
  return `/lines/${line}`;
}
