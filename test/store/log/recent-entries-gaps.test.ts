import { expect, test } from "vitest";
import { type Change, updateChanges } from "../../../shared/domain/model/changes.ts";
import type { AnyObject, Type } from "../../../shared/domain/model/objects.ts";
import { applyRecentChange, toLogChange } from "../../../shared/store/log/log.ts";

const SK = "type#date";
const at = (revision: number, more: Partial<Type> = {}): Type => ({
  kind: "type",
  id: "1",
  key: "date",
  revision,
  ...more,
});

function change(before: Type, fields: Partial<Type>): ReturnType<typeof toLogChange> {
  const [made] = updateChanges<AnyObject>(before, fields);
  return toLogChange(made as Change);
}

test("a commit is applied to the state that it was made from, and to no older one", () => {
  const named = at(5, { name: "Date" });
  const described = change(named, { description: "A day." });
  expect(applyRecentChange(named, SK, described, 9)).toEqual({ ...named, description: "A day.", revision: 9 });
  // The change of revision 5 is missing here: laid over, it would be a state that never was, under a revision that is.
  const older = at(2);
  expect(applyRecentChange(older, SK, described, 9)).toBe(older);
  expect(applyRecentChange(undefined, SK, described, 9)).toBeUndefined();
});

test("a commit is not applied to another object at the same key", () => {
  const another = { ...at(5), id: "2" };
  expect(applyRecentChange(another, SK, change(at(5), { name: "Date" }), 9)).toBe(another);
});
