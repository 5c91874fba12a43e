// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters that terminals interpret
const CONTROL = /[\0\x1b\x80-\x9f]/;

export const CONTROLS = "NUL, ESC and C1 controls";

export const TEXT_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*$";

export const NOT_BLANK_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*[^\\s\\x00\\x1b\\x80-\\x9f][^\\x00\\x1b\\x80-\\x9f]*$";

/** Returns a sentence if a text contains a lone surrogate, NUL, ESC or a C1 control. */
export function findTextFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "is not well-formed Unicode";
  const [control] = CONTROL.exec(text) ?? [];
  if (control === undefined) return undefined;
  const number = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `contains the control character U+${number}; remove ${CONTROLS} (U+0080 to U+009F)`;
}

/** Replaces each NUL, ESC and C1 control by U+FFFD. */
export function replaceControls(text: string): string {
  return text.replace(new RegExp(CONTROL, "g"), "\ufffd");
}

/** Returns the JSON pointer (RFC 6901) of the first string, or object with a member name, with a lone surrogate. */
export function findIllFormed(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    if (!member.isWellFormed()) return "";
    const pointer = findIllFormed(inner);
    if (pointer !== undefined) return `/${escapePointerToken(member)}${pointer}`;
  }
  return undefined;
}

/** Escapes `~` and `/` in a reference token of a JSON pointer. */
export function escapePointerToken(member: PropertyKey): string {
  return String(member).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Splits a JSON pointer into its reference tokens. */
export function splitPointer(pointer: string): readonly string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Folds a text for search: without marks, in one case by Unicode folding (`ß` becomes `ss`, a final sigma a sigma). */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(ASCII_CONTROL, "");
  const bare = text.normalize("NFD").replace(UNSEEN, "");
  // Some letters are equal in upper case only, and `ẞ` in lower case only.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Separator between texts that are searched together: ESC, which no valid and no folded text contains. */
export const SEPARATOR = "\u001b";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator, and the text terminator of other programs
const ASCII_CONTROL = /[\u0000\u001b]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const UNSEEN = /[\p{M}\u0000\u001b]/gu;
