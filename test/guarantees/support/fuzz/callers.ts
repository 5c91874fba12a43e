import { addImplied, MANAGED_ROLES, type Permission } from "../../../../shared/domain/permissions.ts";
import type { World } from "../../../support/world.ts";

/** Someone who sends a request; without permissions they are not known at all. */
export interface FuzzCaller {
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly permissions: ReadonlySet<Permission> | undefined;
}

const held = (role: string): ReadonlySet<Permission> =>
  addImplied(MANAGED_ROLES.find((r) => r.key === role)?.permissions ?? []);

const bearer = (name: string, token: string, permissions: FuzzCaller["permissions"]): FuzzCaller => ({
  name,
  headers: [["authorization", `Bearer ${token}`]],
  permissions,
});

/** The administrator of a world. */
export function adminOf({ people }: World): FuzzCaller {
  return bearer("admin", people.admin, held("admin"));
}

/** Everyone who may or may not call: people with each role, without a role, without a token, and with what is none. */
export function callersOf({ people }: World): readonly FuzzCaller[] {
  const { admin } = people;
  const [head = "", claims = "", signature = ""] = admin.split(".");
  const flipped = `${signature.slice(0, 9)}${signature[9] === "A" ? "B" : "A"}${signature.slice(10)}`;
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
  const unknown: readonly (readonly [string, ...string[]])[] = [
    ["no token"],
    ["an empty header", ""],
    ["a scheme without a token", "Bearer"],
    ["a scheme and space", "Bearer "],
    ["another scheme", `Basic ${admin}`],
    ["a token without scheme", admin],
    ["a token with another signature", `Bearer ${head}.${claims}.${flipped}`],
    ["a token without signature", `Bearer ${head}.${claims}.`],
    ["a token of two parts", `Bearer ${head}.${claims}`],
    ["a token of four parts", `Bearer ${admin}.x`],
    ["a token that is not signed", `Bearer ${none}.${claims}.`],
    ["a token in quotes", `Bearer "${admin}"`],
    ["a token with a space in it", `Bearer ${head}. ${claims}.${signature}`],
    ["a huge token", `Bearer ${"a".repeat(9_000)}`],
    ["control characters", "Bearer a\u0000b\u007f"],
    ["letters beyond ASCII", "Bearer ключ"],
    ["two tokens", `Bearer ${admin}`, `Bearer ${admin}`],
    ["the name of a prototype", "Bearer __proto__"],
  ];
  return [
    adminOf({ people } as World),
    bearer("manager", people.manager, held("manager")),
    bearer("reader", people.reader, held("reader")),
    bearer("nobody", people.nobody, held("")),
    ...unknown.map(([name, ...values]) => ({
      name,
      headers: values.map((value) => ["authorization", value] as const),
      permissions: undefined,
    })),
  ];
}
