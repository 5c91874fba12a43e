import { expect, test } from "vitest";
import { type Change, update } from "../../shared/domain/change.ts";
import type { AnyObject, Type } from "../../shared/domain/objects.ts";
import { logChange } from "../../shared/store/log/log.ts";
import { layOver } from "../../shared/store/log/overlay.ts";

const SK = "type#date";
const at = (revision: number, more: Partial<Type> = {}): Type => ({
  kind: "type",
  id: "1",
  key: "date",
  revision,
  ...more,
});

function change(before: Type, fields: Partial<Type>): ReturnType<typeof logChange> {
  const [made] = update<AnyObject>(before, fields);
  return logChange(made as Change);
}

test("a commit is laid over the very state it was made from, and over no older one", () => {
  const named = at(5, { name: "Date" });
  const described = change(named, { description: "A day." });
  expect(layOver(named, SK, described, 9)).toEqual({ ...named, description: "A day.", revision: 9 });
  // The change of revision 5 is missing here: laid over, it would be a state that never was, under a revision that is.
  const older = at(2);
  expect(layOver(older, SK, described, 9)).toBe(older);
  expect(layOver(undefined, SK, described, 9)).toBeUndefined();
});

test("a commit is not laid over another object at the same place", () => {
  const another = { ...at(5), id: "2" };
  expect(layOver(another, SK, change(at(5), { name: "Date" }), 9)).toBe(another);
});
