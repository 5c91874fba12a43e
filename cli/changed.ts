import { cellText } from "./cell-text.ts";

type Members = readonly (readonly [string, unknown])[];

/** The members of a change with one text `changed` in the place of its images: `type: string → date`. */
export function changedIn(members: Members): Members {
  const row = Object.fromEntries(members);
  const { before, after, change } = row;
  if (change === undefined || (before === undefined && after === undefined)) return members;
  const [was, is]: readonly Readonly<Record<string, unknown>>[] = [Object(before), Object(after)];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  // A row tells the key of its object beside the change.
  const shown = names.filter((name) => name !== "key" || change === "update");
  const texts = shown.map((name) => `${name}: ${[was?.[name], is?.[name]].flatMap(told).join(" → ") || "none"}`);
  const rest = members.filter(([member]) => member !== "before" && member !== "after");
  return [...rest, ["changed", texts.join("; ")]];
}

/** The text of a value on one side of a change; none where there was none. */
function told(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const text = cellText(value);
  return [text === "" ? "none" : text];
}
