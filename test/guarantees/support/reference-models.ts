import { type Asked, may, need, type RefAction } from "./reference-action.ts";
import { PAGING, page } from "./reference-lists.ts";
import type { RefModel } from "./reference-state.ts";
import { fieldsSet, keySet, requireFree, written } from "./reference-writes.ts";

const modelRef = need("ModelRef");
const write = (rule: string, params: RefAction["params"], run: RefAction["run"]): RefAction => ({
  rule,
  writes: true,
  params,
  run,
});
const read = (params: RefAction["params"], run: RefAction["run"]): RefAction => ({
  rule: "model_read",
  writes: false,
  params,
  run,
});

/** A write that makes a model, at its first revision. */
export function begun({ state }: Asked, model: RefModel): ReturnType<typeof written> {
  requireFree(state.models.values(), model.key);
  const changes = [
    { change: "create" as const, kind: "model" as const, id: model.id, key: model.key },
    ...model.types.map(({ id, key }) => ({ change: "create" as const, kind: "type" as const, id, key })),
    ...model.entities.flatMap((e) => [
      { change: "create" as const, kind: "entity" as const, id: e.id, key: e.key },
      ...e.attributes.map(({ id, key }) => ({ change: "create" as const, kind: "attribute" as const, id, key })),
    ]),
  ];
  return written(model, model, changes, () => state.models.set(model.id, model));
}

/** The actions on a model's own fields. */
export const MODEL_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/model_create": write(
    "model_create_manual",
    {
      key: need("ModelKey"),
      name: need("TextSingleLine"),
      description: may("TextMarkdown"),
      version: may("ModelVersion"),
    },
    (asked) => {
      const { key, name, description, version } = asked.input as Record<string, string>;
      return begun(asked, {
        id: asked.newId(),
        key: String(key),
        revision: 0,
        name: String(name),
        description,
        version: version ?? "0.0.1",
        authority: "system",
        types: [],
        entities: [],
      });
    },
  ),
  "model/model_list": read(PAGING, (asked) =>
    page(asked, asked.state.models.values(), (rows) =>
      rows.map(({ id, key, name, version, authority }) => ({ id, key, name, version, authority })),
    ),
  ),
  "model/model_get": read({ modelRef }, ({ model }) => {
    const { types: _types, entities: _entities, ...own } = model;
    return { does: "read", body: { ...own } };
  }),
  "model/model_update_name": write(
    "model_write",
    { modelRef, name: need("TextSingleLine", "value") },
    ({ model, input }) => fieldsSet(model, "model", model, { name: input.name }),
  ),
  "model/model_update_description": write("model_write", { modelRef, value: may("TextMarkdown") }, ({ model, input }) =>
    fieldsSet(model, "model", model, { description: input.value }),
  ),
  "model/model_update_documentation_link": write("model_write", { modelRef, value: may("Link") }, ({ model, input }) =>
    fieldsSet(model, "model", model, { documentationHome: input.value }),
  ),
  "model/model_update_authority": write(
    "model_update_authority",
    { modelRef, value: need("ModelAuthority") },
    ({ model, input }) => fieldsSet(model, "model", model, { authority: input.value }),
  ),
  "model/model_update_key": write("model_write", { modelRef, value: need("ModelKey") }, ({ model, state, input }) =>
    keySet(model, "model", model, state.models.values(), input.value),
  ),
  "model/model_delete": write("model_delete", { modelRef }, ({ model, state }) => {
    const { id, key } = model;
    return written(model, model, [{ change: "delete", kind: "model", id, key }], () => state.models.delete(id));
  }),
};
