import type { DocumentObject } from "../../../domain/compare/document-members.ts";
import type { DocumentMatch } from "../../../domain/compare/match-documents.ts";
import type { ModelDocument } from "../../../domain/document/document.ts";
import { escapePointerToken, splitPointer } from "../../../domain/text/characters.ts";
import { findMember, isSameValue } from "../../../domain/text/json-values.ts";
import type { WarningCode } from "../../../domain/warnings.ts";
import type { Diagnostics } from "../../common/diagnostics.ts";

/** Records warnings one by one. */
export interface WarningRecorder extends Diagnostics {
  readonly warnings: readonly { readonly path: string; readonly code: WarningCode; readonly detail: string }[];
}

export function createWarningRecorder(): WarningRecorder {
  const warnings: WarningRecorder["warnings"][number][] = [];
  const createAt = (base: string): Diagnostics => ({
    pointer: base,
    reject: (path, detail) => {
      throw new Error(`${base}${path}: ${detail}`);
    },
    warn: (path, code, detail) => void warnings.push({ path: base + path, code, detail }),
    at: (path) => createAt(base + path),
  });
  return { ...createAt(""), warnings };
}

/** Reports the warnings of both sides that concern a difference. */
export function reportChangedWarnings(
  [left, right]: readonly [ModelDocument, ModelDocument],
  [before, after]: readonly [WarningRecorder, WarningRecorder],
  { findLeft, findRight }: DocumentMatch,
  diagnostics: Diagnostics,
): void {
  const report = (
    at: Diagnostics,
    [document, others]: readonly [ModelDocument, ModelDocument],
    [own, other]: readonly [WarningRecorder, WarningRecorder],
    find: typeof findLeft,
  ) => {
    const paths = indexPaths(others);
    const keys = new Set(other.warnings.map((one) => `${one.path} ${one.code} ${one.detail}`));
    for (const { path, code, detail } of own.warnings) {
      const otherPath = findPathInOther(document, path, find, paths);
      const isSame =
        otherPath !== undefined &&
        keys.has(`${otherPath} ${code} ${detail}`) &&
        isSameValue(findMember(document, splitPointer(path)), findMember(others, splitPointer(otherPath)));
      if (!isSame) at.warn(path, code, detail);
    }
  };
  report(diagnostics.at("/left"), [left, right], [before, after], findRight);
  report(diagnostics.at("/right"), [right, left], [after, before], findLeft);
}

function indexPaths(document: ModelDocument): ReadonlyMap<object, string> {
  const paths = new Map<object, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    paths.set(value, path);
    for (const [member, one] of Object.entries(value)) walk(one, `${path}/${escapePointerToken(member)}`);
  };
  walk(document, "");
  return paths;
}

function findPathInOther(
  document: ModelDocument,
  path: string,
  other: (object: DocumentObject) => DocumentObject | undefined,
  paths: ReadonlyMap<object, string>,
): string | undefined {
  let value: unknown = document;
  let otherPath: string | undefined = "";
  for (const token of splitPointer(path)) {
    value = findMember(value, [token]);
    const isObject = typeof value === "object" && value !== null && "key" in value;
    const match = isObject ? other(value as DocumentObject) : undefined;
    if (match) otherPath = paths.get(match);
    else otherPath = otherPath === undefined ? undefined : `${otherPath}/${escapePointerToken(token)}`;
  }
  return otherPath;
}
