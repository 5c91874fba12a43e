/** Someone who calls, with the permissions of their role and all that those imply. */
export interface Person {
  readonly username: string;
  readonly fullname: string;
  readonly permissions: ReadonlySet<string>;
}

/** How a call says who it is from: a person, or a way of being nobody. */
export type CallerName = "admin" | "manager" | "reader" | "nobody" | "disabled" | "anonymous" | "invalid" | "expired";

/** Contract, section 5: the permissions but for that of administrators. */
const PERMISSIONS = [
  ...["model_read", "model_write", "model_create_manual", "model_copy", "model_delete", "model_import"],
  ...["model_release", "model_update_authority"],
  ...["tag_local_manage", "tag_global_manage", "tag_group_manage", "property_manage"],
];

const person = (username: string, permissions: readonly string[]): Person => ({
  username,
  fullname: `The ${username}`,
  permissions: new Set(permissions),
});

/** The people of every history, one of each managed role and one without any. */
export const PEOPLE: ReadonlyMap<CallerName, Person> = new Map<CallerName, Person>([
  ["admin", person("admin", [...PERMISSIONS, "admin"])],
  ["manager", person("manager", PERMISSIONS)],
  ["reader", person("reader", ["model_read"])],
  ["nobody", person("nobody", [])],
]);

/** The reference's id of the actor that a person is. */
export function actorIdOf(person: Person | undefined): string {
  const nth = [...PEOPLE.values()].findIndex(({ username }) => username === person?.username);
  return `00000000-0000-4000-8000-eeee0000000${nth + 1}`;
}
