import { expect, test } from "vitest";
import { authorizeOn } from "../../shared/actions/contract/action.ts";
import type { Permission } from "../../shared/domain/permissions.ts";

const WRITES: ReadonlySet<Permission> = new Set(["model_write"]);
const NONE: ReadonlySet<Permission> = new Set();
const SCOPES = [{ models: "crm*", permissions: WRITES }];

test.each([
  ["nobody", undefined, []],
  ["a permission for everything", { permissions: WRITES, scopes: [] }, ["crm", "crm_old", "shop"]],
  ["one for a pattern", { permissions: NONE, scopes: SCOPES }, ["crm", "crm_old"]],
  ["an API token for another pattern", { permissions: NONE, scopes: SCOPES, within: ["*_old", "shop"] }, ["crm_old"]],
])("imports and applies are allowed on exactly the models that %s includes", (_, rights, expected) => {
  const isLetThrough = (key: string) => {
    try {
      authorizeOn({ key }, "model_write", rights);
      return true;
    } catch {
      return false;
    }
  };
  expect(["crm", "crm_old", "shop"].filter(isLetThrough)).toEqual(expected);
});
