import { type Asked, Like, may, need, type RefAction } from "./reference-action.ts";
import { readSource } from "./reference-import.ts";
import { begun } from "./reference-models.ts";
import { badParameters, Refusal } from "./reference-problem.ts";
import { byKey, type RefModel } from "./reference-state.ts";

/** The document of a model, as `model_export` answers it. */
export function documentOf(model: RefModel): Readonly<Record<string, unknown>> {
  const { revision: _, types, entities, ...own } = model;
  const typeKeys = new Map(types.map((t) => [t.id, t.key]));
  return {
    $schema: "urn:metaction:model:1",
    ...own,
    // Copies, because the objects themselves may change later.
    types: [...types].sort(byKey).map((t) => ({ ...t })),
    entities: [...entities].sort(byKey).map(({ attributes, primaryKey, ...entity }) => ({
      ...entity,
      attributes: attributes.map(({ type, ...attribute }) => ({ ...attribute, type: `key:${typeKeys.get(type)}` })),
      primaryKey: primaryKey.map((id) => `key:${attributes.find((a) => a.id === id)?.key}`),
    })),
  };
}

/** The same content as a model of its own: new ids, the first revision. */
function copied(source: RefModel, key: string, newId: () => string): RefModel {
  const types = new Map(source.types.map((t) => [t.id, { ...t, id: newId() }]));
  return {
    ...source,
    id: newId(),
    key,
    revision: 0,
    authority: "system",
    types: [...types.values()],
    entities: source.entities.map((e) => {
      const attributes = new Map(
        e.attributes.map((a) => [a.id, { ...a, id: newId(), type: types.get(a.type)?.id ?? "" }]),
      );
      const primaryKey = e.primaryKey.map((id) => attributes.get(id)?.id ?? "");
      return { ...e, id: newId(), attributes: [...attributes.values()], primaryKey };
    }),
  };
}

/** Places of warnings, in any order, each with a sentence. */
const warningsAt = (places: readonly string[]): Like =>
  new Like(`warnings at ${JSON.stringify(places)}`, (actual) => {
    const rows = Array.isArray(actual) ? (actual as { pointer?: unknown; detail?: unknown }[]) : [];
    const said = rows.map((row) => String(row.pointer)).sort();
    if (JSON.stringify(said) !== JSON.stringify([...places].sort())) return `warnings at ${JSON.stringify(said)}`;
    return rows.every((row) => typeof row.detail === "string" && row.detail !== "")
      ? undefined
      : "a warning without a sentence";
  });

function imported(asked: Asked): ReturnType<RefAction["run"]> {
  const { from, content, modelKey, modelName } = asked.input;
  if ((from === undefined) === (content === undefined)) throw badParameters("/from", "/content");
  // The histories name only addresses that must not be fetched.
  if (content === undefined) throw new Refusal("source_not_recognised");
  const terms = {
    modelKey: modelKey as string | undefined,
    modelName: modelName as string | undefined,
    newId: asked.newId,
  };
  const { model, warnings } = readSource(content as Record<string, unknown>, terms);
  const counts = {
    types: model.types.length,
    entities: model.entities.length,
    attributes: model.entities.reduce((sum, e) => sum + e.attributes.length, 0),
  };
  return { ...begun(asked, model), extra: { counts, warnings: warningsAt(warnings) } };
}

/** The actions that move whole models. */
export const EXCHANGE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/model_export": {
    rule: "model_read",
    writes: false,
    params: { modelRef: need("ModelRef") },
    run: ({ model }) => ({ does: "read", body: documentOf(model) }),
  },
  "model/inspect_models_json": {
    rule: "model_read",
    writes: false,
    params: {},
    run: ({ state }) => ({ does: "read", body: { models: [...state.models.values()].sort(byKey).map(documentOf) } }),
  },
  "model/model_copy": {
    rule: "model_copy",
    writes: true,
    params: { modelRef: need("ModelRef"), modelNewKey: need("ModelKey") },
    run: (asked) => begun(asked, copied(asked.model, String(asked.input.modelNewKey), asked.newId)),
  },
  "model/import": {
    rule: "model_import",
    writes: true,
    params: {
      from: may("Location"),
      content: may("JsonContent"),
      modelKey: may("ModelKey"),
      modelName: may("TextSingleLine"),
    },
    run: imported,
  },
};
