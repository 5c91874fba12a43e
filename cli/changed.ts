import { cellText, isId } from "./cell-text.ts";

type Members = readonly (readonly [string, unknown])[];

/** The members of a change with one text `changed` in the place of its images: `type: string → date`. */
export function changedIn(members: Members): Members {
  const row = Object.fromEntries(members);
  const { before, after, change } = row;
  if (change === undefined || (before === undefined && after === undefined)) return members;
  const [was, is]: readonly Readonly<Record<string, unknown>>[] = [Object(before), Object(after)];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  // A row tells the key of its object beside the change.
  const shown = names.filter(
    (name) => (name !== "key" || change === "update") && !(change === "delete" && areIds(was?.[name])),
  );
  const texts = shown.map((name) => `${name}: ${[was?.[name], is?.[name]].flatMap(told).join(" → ") || "none"}`);
  const rest = members.filter(([member]) => member !== "before" && member !== "after");
  return [...rest, ["changed", texts.join("; ")]];
}

/** True for ids that stand alone: what they name is gone with the object that named it. */
function areIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}

/** The text of a value on one side of a change; none where there was none. */
function told(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const text = cellText(value);
  return [text === "" ? "none" : text];
}
