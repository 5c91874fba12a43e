// biome-ignore lint/suspicious/noControlCharactersInRegex: those that a terminal obeys
const CONTROL = /[\0\x1b\x80-\x9f]/;

/** The characters that no text may hold, in words. */
export const CONTROLS = "NUL, ESC and C1 controls";

/** The pattern of every legal text. */
export const TEXT_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*$";

/** The pattern of a legal text that is not blank. */
export const NOT_BLANK_PATTERN = "^[^\\x00\\x1b\\x80-\\x9f]*[^\\s\\x00\\x1b\\x80-\\x9f][^\\x00\\x1b\\x80-\\x9f]*$";

/** The fault of a text in words: half a surrogate pair, NUL, ESC or a C1 control; undefined when it may be kept. */
export function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "is not well-formed Unicode";
  const [control] = CONTROL.exec(text) ?? [];
  if (control === undefined) return undefined;
  const number = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the control character U+${number}; leave out ${CONTROLS} (U+0080 to U+009F)`;
}

/** The text with U+FFFD in the place of each NUL, ESC and C1 control. */
export function withoutControls(text: string): string {
  return text.replace(new RegExp(CONTROL, "g"), "\ufffd");
}
