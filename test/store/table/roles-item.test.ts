import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { ALL_PERMISSIONS, BUILT_IN } from "../../../shared/domain/permissions.ts";
import { createAccountStore, createCallerParser } from "../../../shared/store/accounts/account-store.ts";
import { actorKey } from "../../../shared/store/table/keys.ts";
import {
  createRolesParser,
  parseRolesItem,
  toRolePermissions,
  toRolesItem,
} from "../../../shared/store/table/roles-item.ts";
import { realRuntime } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";

const role = fc.record({
  id: fc.uuid(),
  key: fc.string({ minLength: 1, maxLength: 128 }),
  // Permissions of a later version are among them.
  permissions: fc.uniqueArray(fc.constantFrom(...ALL_PERMISSIONS, "from_a_later_version", "another_later_one")),
});

test("roles are read back unchanged, with members that this version does not know", () => {
  fc.assert(
    fc.property(fc.array(role, { maxLength: LIMITS.roles }), fc.nat(), (roles, revision) => {
      // A stored permission may be any text.
      const judged = roles.map((one) => toRolePermissions(one as Parameters<typeof toRolePermissions>[0]));
      const item = toRolesItem(judged, revision);
      expect(item.revision).toBe(revision);
      expect(parseRolesItem(item)).toEqual(judged);
    }),
  );
  expect(parseRolesItem(undefined)).toEqual([]);
});

test("roles are parsed again only after they have changed, whatever the revision says", () => {
  const parse = createRolesParser();
  const toItem = (permissions: readonly string[], revision: number) =>
    structuredClone(toRolesItem([{ id: "0".repeat(36), keyDigest: "AAAAAAAAAAA", permissions }], revision));
  const first = parse(toItem(["admin"], 1));
  expect(parse(toItem(["admin"], 2))).toBe(first);
  // A repair changes an item without a new revision. The bits are the same here, and the names differ.
  expect(parse(toItem(["model_read"], 2))[0]?.permissions).toEqual(["model_read"]);
  expect(parse(toItem([], 2))[0]?.permissions).toEqual([]);
  expect(parse(toItem(["admin", "b"], 2))[0]?.permissions).toEqual(["admin", "b"]);
  expect(parse(toItem(["admin,b"], 2))[0]?.permissions).toEqual(["admin,b"]);
  expect(parse(toItem(["admin"], 2))).toEqual(first);
  expect(parse(undefined)).toEqual([]);
});

test("a caller is parsed again only after an item of it has changed, even at the same revision", () => {
  const parse = createCallerParser();
  const roles = toRolesItem([], 1);
  const place = actorKey(BUILT_IN, "ann");
  const toItem = (granted: readonly string[], revision: number) => {
    return { ...place, v: 1, id: "a", roles: granted, revision };
  };
  const first = parse([toItem(["r"], 1), roles], place);
  expect(first.actor).toEqual({ kind: "actor", id: "a", roles: ["r"], revision: 1 });
  const same = parse([roles, toItem(["r"], 1)], place);
  expect(same.actor).toBe(first.actor);
  expect(same.roles).toBe(first.roles);
  expect(parse([toItem([], 1), roles], place).actor?.roles).toEqual([]);
  expect(parse([toItem(["r"], 2), roles], place).actor?.revision).toBe(2);
  expect(parse([roles], place).actor).toBeUndefined();
  const newest = parse([toItem(["r"], 3), roles], place);
  const addOthers = (count: number) => {
    for (let i = 0; i < count; i++) parse([{ ...toItem([], 1), sk: `${i}` }, roles], { ...place, sk: `${i}` });
  };
  addOthers(LIMITS.keptCallers - 1);
  expect(parse([toItem(["r"], 3), roles], place).actor).toBe(newest.actor);
  addOthers(LIMITS.keptCallers);
  expect(parse([toItem(["r"], 3), roles], place).actor).not.toBe(newest.actor);
});

test("callers are read for two read units, for any number of roles with any keys", async () => {
  let units = 0;
  const table = await freshTable((_, cost) => (units += cost));
  const roles = Array.from({ length: LIMITS.roles }, (_, i) => {
    const permissions = ALL_PERMISSIONS.filter((_, bit) => bit % 9 !== i % 9);
    return toRolePermissions({ id: randomUUID(), key: `${i}`.padEnd(LIMITS.keyCharacters, "x"), permissions });
  });
  await table.write({ put: toRolesItem(roles, 1), expect: { absent: true } });
  units = 0;
  expect((await createAccountStore(table, realRuntime).findCaller(BUILT_IN, "nobody")).roles).toEqual(roles);
  expect(units).toBe(2);
});
