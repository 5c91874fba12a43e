import type { Application } from "./application.ts";

/** Runs an action of the service that has to succeed; its answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every action
export async function act(application: Application, action: string, payload: object): Promise<any> {
  const { status, body } = await application.service.call(action, payload, application.token);
  if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Makes a model with the types `string` and `integer` and an entity `book` with three attributes; the model's ref. */
export async function makeLibrary(application: Application, key: string): Promise<string> {
  const modelRef = `key:${key}`;
  await act(application, "model/model_create", { key, name: "City library" });
  for (const typeKey of ["string", "integer"]) await act(application, "model/type_create", { modelRef, typeKey });
  await act(application, "model/entity_create", { modelRef, entityKey: "book", name: "Book" });
  for (const [attributeKey, type] of [
    ["isbn", "string"],
    ["title", "string"],
    ["pages", "integer"],
  ]) {
    const payload = { modelRef, entityRef: "key:book", attributeKey, type: `key:${type}`, optional: false };
    await act(application, "model/entity_attribute_create", payload);
  }
  return modelRef;
}

/** The keys of the attributes of an entity in declared order. */
export async function attributeKeys(application: Application, modelRef: string, entityRef: string): Promise<string[]> {
  const { items } = await act(application, "model/entity_attribute_list", { modelRef, entityRef });
  return items.map(({ key }: { readonly key: string }) => key);
}
