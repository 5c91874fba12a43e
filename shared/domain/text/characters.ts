// biome-ignore lint/suspicious/noControlCharactersInRegex: those that a terminal obeys
const CONTROL = /[\0\x1b\x80-\x9f]/;

/** The characters that no text may hold, in words. */
export const CONTROLS = "NUL, ESC and C1 controls";

/** The pattern of every legal text. */
export const TEXT_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*$";

/** The pattern of a legal text that is not blank. */
export const NOT_BLANK_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*[^\\s\\x00\\x1b\\x80-\\x9f][^\\x00\\x1b\\x80-\\x9f]*$";

/** The fault of a text in words: half a surrogate pair, NUL, ESC or a C1 control; undefined when it may be kept. */
export function findTextFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "is not well-formed Unicode";
  const [control] = CONTROL.exec(text) ?? [];
  if (control === undefined) return undefined;
  const number = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the control character U+${number}; leave out ${CONTROLS} (U+0080 to U+009F)`;
}

/** The text with U+FFFD in the place of each NUL, ESC and C1 control. */
export function replaceControls(text: string): string {
  return text.replace(new RegExp(CONTROL, "g"), "\ufffd");
}

/**
 * The JSON pointer (RFC 6901) of the first string, or the owner of the first member name, that holds a lone surrogate
 * and so is no well-formed Unicode; undefined when all of them are. The whole value has the pointer `""`.
 */
export function findIllFormed(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    if (!member.isWellFormed()) return "";
    const found = findIllFormed(inner);
    if (found !== undefined) return `/${escapePointerToken(member)}${found}`;
  }
  return undefined;
}

/** One reference token of a JSON pointer, with `~` and `/` escaped. */
export function escapePointerToken(member: PropertyKey): string {
  return String(member).replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * A text as search compares it: without accents and other marks, and in one case, as Unicode folds it (`ß` is `ss`, and a
 * final sigma is a sigma).
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(ASCII_CONTROL, "");
  const bare = text.normalize("NFD").replace(UNSEEN, "");
  // Some letters meet in upper case only, and `ẞ` in lower case.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Stands between texts that are searched together: ESC, which no legal and no folded text holds, so that none runs into the next. */
export const SEPARATOR = "\u001b";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator, and the end of texts in other programs
const ASCII_CONTROL = /[\u0000\u001b]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const UNSEEN = /[\p{M}\u0000\u001b]/gu;
