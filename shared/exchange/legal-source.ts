import { textFault, withoutControls } from "../domain/legal-text.ts";
import { pointerToken } from "../domain/well-formed.ts";
import type { Findings } from "./findings.ts";

const REPLACED = "held NUL, ESC or C1 controls, each of which became U+FFFD";

/** A source of well-formed texts with U+FFFD for each control that no text may hold; a warning tells of each such text or name. */
export function withLegalTexts(value: unknown, findings: Findings): unknown {
  if (isLegal(value)) return value;
  if (typeof value === "string") {
    findings.warn("", "text_changed", REPLACED);
    return withoutControls(value);
  }
  if (Array.isArray(value)) return value.map((inner, i) => withLegalTexts(inner, findings.at(`/${i}`)));
  if (typeof value !== "object" || value === null) return value;
  const legal = new Map<string, unknown>();
  for (const [member, inner] of Object.entries(value)) {
    const name = freeName(member, value, legal);
    const there = findings.at(`/${pointerToken(name)}`);
    if (name !== member) there.warn("", "text_changed", `its name ${REPLACED}`);
    legal.set(name, withLegalTexts(inner, there));
  }
  return Object.fromEntries(legal);
}

/** True where no text and no member's name holds a control; most sources are legal as a whole, and nothing of them is copied. */
function isLegal(value: unknown): boolean {
  if (typeof value === "string") return textFault(value) === undefined;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([member, inner]) => textFault(member) === undefined && isLegal(inner));
}

/** The legal form of a member's name, which no other member has. */
function freeName(member: string, siblings: object, taken: ReadonlyMap<string, unknown>): string {
  if (textFault(member) === undefined) return member;
  let name = withoutControls(member);
  while (Object.hasOwn(siblings, name) || taken.has(name)) name += "\ufffd";
  return name;
}
