import { expect, test } from "vitest";
import { captureGrant, requireGrant } from "../../shared/actions/model/captured-rights.ts";
import type { Permission } from "../../shared/domain/permissions.ts";

const WRITES: ReadonlySet<Permission> = new Set(["model_write"]);
const NONE: ReadonlySet<Permission> = new Set();

test.each([
  ["nobody", undefined, []],
  ["a permission for everything", { permissions: WRITES, scopes: [] }, ["crm", "crm_old", "shop"]],
  ["one for a pattern", { permissions: NONE, scopes: [{ models: "crm*", permissions: WRITES }] }, ["crm", "crm_old"]],
  [
    "an API token for another pattern",
    { permissions: NONE, scopes: [{ models: "crm*", permissions: WRITES }], within: ["*_old", "shop"] },
    ["crm_old"],
  ],
])("the stored permissions of a job include exactly what %s includes", (_, rights, expected) => {
  const granted = JSON.parse(JSON.stringify(captureGrant(rights, "model_write")));
  const isLetThrough = (key: string) => {
    try {
      requireGrant(granted, "model_write", { key });
      return true;
    } catch {
      return false;
    }
  };
  expect(["crm", "crm_old", "shop"].filter(isLetThrough)).toEqual(expected);
});
