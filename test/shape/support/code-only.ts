/** Blanks out comments and strings of a TypeScript text; keeps its length, lines and regular expression literals. */
export function codeOnly(text: string): string {
  return text.replace(TOKEN, (token, ...groups) => {
    const { comment, quoted } = groups.at(-1) as { comment?: string; quoted?: string };
    if (comment !== undefined) return blank(comment);
    if (quoted === undefined) return token;
    return quoted.charAt(0) + blank(quoted.slice(1, -1)) + quoted.charAt(0);
  });
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/;
/** A regular expression literal: a slash behind one of these characters or `return` begins one and no division. */
const REGEX = /(?<=[(,=:[!&|?{};\n]\s*|return\s+)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
const TOKEN = new RegExp(`(?<comment>${COMMENT.source})|(?<regex>${REGEX.source})|(?<quoted>${QUOTED.source})`, "g");

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
