import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import {
  escapePointerToken,
  findIllFormed,
  findTextFault,
  replaceControls as replaceInText,
} from "../../domain/text/characters.ts";
import type { Diagnostics } from "./diagnostics.ts";

const REPLACEMENT_DETAIL = "contained control characters (NUL, ESC or C1), which became U+FFFD";

/** Replaces forbidden control characters in texts and member names by U+FFFD, with warnings. */
export function replaceControls(value: unknown, diagnostics: Diagnostics): unknown {
  if (isLegal(value)) return value;
  if (typeof value === "string") {
    diagnostics.warn("", "text_changed", REPLACEMENT_DETAIL);
    return replaceInText(value);
  }
  if (Array.isArray(value)) return value.map((item, i) => replaceControls(item, diagnostics.at(`/${i}`)));
  if (typeof value !== "object" || value === null) return value;
  const members = new Map<string, unknown>();
  for (const [member, item] of Object.entries(value)) {
    const name = toLegalMember(member, value, members);
    const memberDiagnostics = diagnostics.at(`/${escapePointerToken(name)}`);
    if (name !== member) memberDiagnostics.warn("", "text_changed", `its name ${REPLACEMENT_DETAIL}`);
    members.set(name, replaceControls(item, memberDiagnostics));
  }
  return Object.fromEntries(members);
}

/** Returns true when no text or member name has a control character. Most sources are legal, and are not copied. */
function isLegal(value: unknown): boolean {
  if (typeof value === "string") return findTextFault(value) === undefined;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([member, item]) => findTextFault(member) === undefined && isLegal(item));
}

function toLegalMember(member: string, siblings: object, usedNames: ReadonlyMap<string, unknown>): string {
  if (findTextFault(member) === undefined) return member;
  let name = replaceInText(member);
  while (Object.hasOwn(siblings, name) || usedNames.has(name)) name += "\ufffd";
  return name;
}

/** Throws `invalid_content` for a value that nests too deep or contains invalid Unicode. */
export function checkSource(value: unknown): void {
  if (isDeeperThan(value, LIMITS.jsonDepth)) {
    throw new Problem(
      "invalid_content",
      `the import failed: the source is nested deeper than ${LIMITS.jsonDepth} levels`,
    );
  }
  const pointer = findIllFormed(value);
  if (pointer === undefined) return;
  throw new Problem("invalid_content", "the import failed: the source contains invalid Unicode", {
    errors: [{ pointer, detail: "contains an unpaired surrogate" }],
  });
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
