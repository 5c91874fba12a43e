import type { DocumentObject } from "../../../domain/compare/document-members.ts";
import type { DocumentMatch } from "../../../domain/compare/match-documents.ts";
import type { ModelDocument } from "../../../domain/document/document.ts";
import { isSameValue } from "../../../domain/text/json-values.ts";
import type { WarningCode } from "../../../domain/warnings.ts";
import type { Diagnostics } from "../../common/diagnostics.ts";

interface KeptWarning {
  readonly place: string;
  readonly code: WarningCode;
  readonly detail: string;
}

/** Records warnings one by one. */
export interface WarningRecorder extends Diagnostics {
  readonly warnings: readonly KeptWarning[];
}

export function createWarningRecorder(): WarningRecorder {
  const warnings: KeptWarning[] = [];
  const under = (base: string): Diagnostics => ({
    reject: (path, detail) => {
      throw new Error(`${base}${path}: ${detail}`);
    },
    warn: (path, code, detail) => void warnings.push({ place: base + path, code, detail }),
    at: (path) => under(base + path),
  });
  return { ...under(""), warnings: warnings };
}

/** Reports the warnings of both sides that concern a difference. Others were true before. */
export function reportChangedWarnings(
  [left, right]: readonly [ModelDocument, ModelDocument],
  [before, after]: readonly [WarningRecorder, WarningRecorder],
  match: DocumentMatch,
  diagnostics: Diagnostics,
): void {
  const sides = {
    left: { document: left, told: before.warnings, other: match.findRight, places: indexPaths(right), others: right },
    right: { document: right, told: after.warnings, other: match.findLeft, places: indexPaths(left), others: left },
  };
  for (const [name, { document, told: warnings, other, places, others }] of Object.entries(sides)) {
    const opposite = name === "left" ? after : before;
    const known = new Set(opposite.warnings.map((one) => `${one.place} ${one.code} ${one.detail}`));
    for (const { place: path, code, detail } of warnings) {
      const there = findPathInOther(document, path, other, places);
      const isSame =
        there !== undefined &&
        known.has(`${there} ${code} ${detail}`) &&
        isSameValue(findValue(document, path), findValue(others, there));
      if (!isSame) diagnostics.warn(`/${name}${path}`, code, detail);
    }
  }
}

/** Indexes the paths of all objects in a document. */
function indexPaths(document: ModelDocument): ReadonlyMap<object, string> {
  const places = new Map<object, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    places.set(value, path);
    for (const [member, one] of Object.entries(value)) walk(one, `${path}/${member}`);
  };
  walk(document, "");
  return places;
}

/** Returns the path of the same object in the other document, or undefined. */
function findPathInOther(
  document: ModelDocument,
  path: string,
  other: (object: DocumentObject) => DocumentObject | undefined,
  places: ReadonlyMap<object, string>,
): string | undefined {
  let value: unknown = document;
  let found: string | undefined = "";
  for (const token of splitPointer(path)) {
    value = getMember(value, token);
    const isObject = typeof value === "object" && value !== null && "key" in value;
    const match = isObject ? other(value as DocumentObject) : undefined;
    if (match) found = places.get(match);
    else found = found === undefined ? undefined : `${found}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return found;
}

function findValue(document: ModelDocument, path: string): unknown {
  return splitPointer(path).reduce<unknown>(getMember, document);
}

function splitPointer(path: string): readonly string[] {
  return path
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function getMember(value: unknown, member: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[member];
}
