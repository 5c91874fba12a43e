import type { Page } from "./shown-pages.ts";
import { indentedTable } from "./table.ts";
import type { Styled } from "./text-stream.ts";
import { wrappedText } from "./wrapping.ts";

const WIDTH = 100;
const INDENT = "  ";
/** The lists of what is in an object. */
const TABLES: ReadonlySet<string> = new Set(["entities", "attributes", "keys", "relationships"]);

/** A page as people read it: its title, the description, members in lines, and a table for each list. */
export function pageText({ place, name, description, ...members }: Page, width = WIDTH): Styled {
  const all = Object.entries(members);
  const lists = all.filter((one): one is [string, readonly object[]] => TABLES.has(one[0]));
  const lines = all.flatMap(([member, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
    return TABLES.has(member) || text === "" ? [] : [[labelOf(member), text] as const];
  });
  const widest = Math.max(0, ...lines.map(([label]) => label.length));
  return [
    { bold: name === undefined ? place : `${place}  ${name}` },
    "\n",
    ...(description ? [`\n${wrappedText(description, Math.min(width, WIDTH))}\n`] : []),
    ...(lines.length > 0 ? ["\n"] : []),
    ...lines.map(([label, text]) => `${label.padEnd(widest)}  ${text}\n`),
    ...lists.flatMap(([title, rows]) => [
      "\n",
      { bold: `${labelOf(title)} (${rows.length})` },
      "\n",
      ...(rows.length === 0 ? [`${INDENT}none\n`] : indentedTable(rows.map(filled), width, INDENT)),
    ]),
  ];
}

/** A row with words for people; columns that no row fills are left out by the table. */
function filled(row: object): object {
  const cells = Object.entries(row).map(([member, value]) => {
    const text = value === true ? "yes" : value === false ? "" : value;
    return [labelOf(member), text];
  });
  return Object.fromEntries(cells);
}

/** `primaryKey` as `primary key`. */
function labelOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
