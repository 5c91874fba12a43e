import { expect, test } from "vitest";
import { compareVersions } from "../../shared/domain/values/value-types.ts";
import { findVersionStep, getNextVersion, RISES } from "../../ui/screens/history/release-dialog.tsx";

test("the most severe difference determines the part of the version to increment", () => {
  const none = { breaking: 0, behavioural: 0, additive: 0, operational: 0, cosmetic: 0 };
  expect(findVersionStep({ ...none, breaking: 1, additive: 9, cosmetic: 9 })).toBe("major");
  expect(findVersionStep({ ...none, behavioural: 1, operational: 9 })).toBe("minor");
  expect(findVersionStep({ ...none, additive: 1, cosmetic: 9 })).toBe("minor");
  expect(findVersionStep({ ...none, operational: 1 })).toBe("patch");
  expect(findVersionStep({ ...none, cosmetic: 3 })).toBe("patch");
  expect(findVersionStep(none)).toBe("patch");
});

test.each([
  ["1.2.3", ["2.0.0", "1.3.0", "1.2.4"]],
  ["0.0.1", ["1.0.0", "0.1.0", "0.0.2"]],
  ["2.0.0-rc.1", ["2.0.0", "2.0.0", "2.0.0"]],
  ["1.3.0-beta", ["2.0.0", "1.3.0", "1.3.0"]],
  ["1.3.1-beta", ["2.0.0", "1.4.0", "1.3.1"]],
])("what follows %s is greater in the order of the service", (version, expected) => {
  const next = RISES.map((rise) => getNextVersion(version, rise));
  expect(next).toEqual(expected);
  for (const one of next) expect(compareVersions(one ?? "", version)).toBeGreaterThan(0);
});

test("an invalid version has no next one", () => expect(getNextVersion("one", "major")).toBeUndefined());
