/** A text in one line, in which nothing is taken for markup or HTML. */
function plain(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/[\\`*_[\]<>~|$]/g, "\\$&")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replace(/^(\s*)([#+-]|=+|\d+[.)])(?=\s|$)/, "$1\\$2");
}

/** A heading of a level. */
export function heading(level: number, text: string): string {
  return `${"#".repeat(level)} ${plain(text)}`;
}

/** A text in the cell of a table: its lines with breaks between them. */
export function cell(text: string): string {
  return text
    .trim()
    .split(/\r\n|\r|\n/)
    .map(plain)
    .join("<br>");
}

/** A text as code, in as many backticks as it takes, fit for a cell too. */
export function code(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ").replaceAll("|", "\\|");
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return line === "" ? "" : `${fence}${gap}${line}${gap}${fence}`;
}

/** A description, which is Markdown itself: its headings and HTML are shown as they are written. */
export function paragraph(text: string): string {
  return text
    .trim()
    .replace(/<(?=[A-Za-z!/?])/g, "\\<")
    .replace(/^(\s{0,3})(#{1,6})(?=\s|$)/gm, "$1\\$2");
}

/** An address as a link. */
export function link(url: string): string {
  return /^https?:\/\/[^\s<>]+$/i.test(url) ? `<${url}>` : code(url);
}
