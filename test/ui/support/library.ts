import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Application } from "./application.ts";

/** The data package that the library is imported from. */
export const libraryFile = join(import.meta.dirname, "../../../examples/library/datapackage.json");

/** Imports the library under a key, as its version 1.2.0. */
export async function importLibrary({ act }: Application, modelKey: string): Promise<void> {
  await act("model/import", { content: JSON.parse(await readFile(libraryFile, "utf8")), modelKey });
}

/** Makes a model with the types `string` and `integer` and an entity `book` with three attributes; the model's ref. */
export async function makeLibrary({ act }: Application, key: string): Promise<string> {
  const modelRef = `key:${key}`;
  await act("model/model_create", { key, name: "City library" });
  for (const typeKey of ["string", "integer"]) await act("model/type_create", { modelRef, typeKey });
  await act("model/entity_create", { modelRef, entityKey: "book", name: "Book" });
  for (const [attributeKey, type] of [
    ["isbn", "string"],
    ["title", "string"],
    ["pages", "integer"],
  ]) {
    const payload = { modelRef, entityRef: "key:book", attributeKey, type: `key:${type}`, optional: false };
    await act("model/entity_attribute_create", payload);
  }
  return modelRef;
}

/** Creates a relationship. Roles without an entity get the entity `book`. */
export const relate = ({ act }: Application, modelRef: string, relationshipKey: string, roles: object) =>
  act("model/relationship_create", {
    ...{ modelRef, relationshipKey, roleAEntityRef: "key:book", roleBEntityRef: "key:book", ...roles },
  });

/** Creates a user with the role `reader`, and signs them in; their token. */
export async function createReader({ act }: Application): Promise<string> {
  const user = { username: "reader", password: "Violet-Harbor-8-Lantern" };
  await act("auth/user_create", { ...user, fullname: "Only Reader", roleRefs: ["key:reader"], admin: false });
  return (await act("auth/login", user)).access_token;
}

/** The keys of the attributes of an entity in declared order. */
export async function attributeKeys({ act }: Application, modelRef: string, entityRef: string): Promise<string[]> {
  const { items } = await act("model/entity_attribute_list", { modelRef, entityRef });
  return items.map(({ key }: { readonly key: string }) => key);
}
