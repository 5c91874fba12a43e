import { classIn } from "./colours.ts";
import { GAP, type Rows } from "./grid.ts";
import type { Styled } from "./text-stream.ts";
import { longest, wrappedText } from "./wrapping.ts";

/** Values in fewer columns than these are no longer read as text. */
const NARROWEST = 20;

/** A name and a value on each line behind an indent; a value goes on below itself, broken at blanks alone. */
export function membersText(
  members: readonly (readonly [name: string, value: string])[],
  width: number | undefined,
  indent = "",
  widest = longest(members.map(([name]) => name)),
): Styled {
  const before = indent.length + widest + GAP.length;
  return members.flatMap(([name, value]): Styled => {
    if (value === "") return [indent, { bold: name }, "\n"];
    const text = width === undefined ? value : wrappedText(value, Math.max(NARROWEST, width - before));
    const lines = text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(before)}`);
    const told = classIn(name, value);
    return [indent, { bold: name.padEnd(widest) }, GAP, told ? { text: lines, told } : lines, "\n"];
  });
}

/** Rows one below the other, each as the members that it fills, with an empty line between two. */
export function recordsText({ columns, rows }: Rows, width: number | undefined, indent: string): Styled {
  const widest = longest(columns);
  return rows.flatMap((row, i): Styled => {
    const filled = columns.flatMap((name, n) => (row[n] ? [[name, row[n]] as const] : []));
    return [...(i === 0 ? [] : ["\n"]), ...membersText(filled, width, indent, widest)];
  });
}
