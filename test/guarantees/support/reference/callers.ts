import { PASSWORD as PASSWORD_OF_ALL } from "../../../support/accounts.ts";
/** Someone who calls, with the permissions of their role and all that those imply. */
export interface Person {
  readonly username: string;
  readonly fullname: string;
  readonly permissions: ReadonlySet<string>;
}

/** How a call says who it is from: a person, or a way of being nobody. */
export type CallerName = "admin" | "manager" | "reader" | "nobody" | "disabled" | "anonymous" | "invalid" | "expired";

/** Contract, section 5: permission -> those it implies. */
export const IMPLIES: Readonly<Record<string, readonly string[]>> = {
  model_read: [],
  model_write: ["model_read"],
  model_create_manual: ["model_write", "model_read"],
  model_copy: ["model_write", "model_read"],
  model_delete: ["model_read"],
  model_import: ["model_write", "model_read"],
  model_release: ["model_read"],
  model_update_authority: ["model_read"],
  tag_local_manage: [],
  tag_global_manage: [],
  tag_group_manage: [],
  property_manage: [],
};

const EVERYTHING = [...Object.keys(IMPLIES), "admin"];

const person = (username: string, permissions: readonly string[]): Person => ({
  username,
  fullname: `The ${username}`,
  permissions: new Set(permissions),
});

/** The people of every history, one of each managed role and one without any. */
export const PEOPLE: ReadonlyMap<CallerName, Person> = new Map<CallerName, Person>([
  ["admin", person("admin", EVERYTHING)],
  ["manager", person("manager", Object.keys(IMPLIES))],
  ["reader", person("reader", ["model_read"])],
  ["nobody", person("nobody", [])],
]);

/** The reference's id of the actor that a person is. */
export function actorIdOf(person: Person | undefined): string {
  const nth = [...PEOPLE.values()].findIndex(({ username }) => username === person?.username);
  return `00000000-0000-4000-8000-eeee0000000${nth + 1}`;
}

/** The administrator can also sign in with a password. */
export const PASSWORD = PASSWORD_OF_ALL;
