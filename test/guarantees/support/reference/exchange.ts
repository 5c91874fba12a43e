import { type Asked, may, need, type RefAction, type RefRead } from "./action.ts";
import { misfitsIn, misfitsInDocument } from "./definitions.ts";
import { documentOf, exportOf, modelOfDocument, type RefDocument } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { imagesOf } from "./images.ts";
import { begun } from "./models.ts";
import { checkMoment, commitAt, MOMENT } from "./past.ts";
import { badParameters, Refusal } from "./problem.ts";
import { byKey } from "./state.ts";
import { globalTags } from "./tag-links.ts";
import { get, read, writeBy } from "./texts.ts";
import type { RefWrite } from "./write-result.ts";

/** A model as it is, or as it was, with the tags and under the entity tag of then. */
function exported({ model, past, state, input, tags }: Asked): RefRead {
  const { version, revision } = input;
  if (version !== undefined || revision !== undefined) {
    const then = commitAt(past, version, revision);
    return { does: "read", ...exportOf(then.model, then) };
  }
  // A deleted model has nothing but a past.
  if (!state.models.has(model.id)) throw new Refusal("not_found", { mentions: [model.key] });
  return { does: "read", body: documentOf(model, tags) };
}

function copied(asked: Asked): RefWrite {
  const { model, input, newId, tags } = asked;
  const held = [...imagesOf(model).values()].map(({ kind, members }) => misfitsIn(asked.definitions, kind, members));
  if (held.flat().length > 0) throw badParameters(...held.flat().map(() => "/modelRef"));
  const document = { ...documentOf(model, tags), key: String(input.modelNewKey), authority: "system" };
  const hasGlobalTags = document.tagGroups.length > 0;
  const globals = new Map((hasGlobalTags ? globalTags(tags()) : []).map(({ id, shown }) => [`key:${shown}`, id]));
  return begun(asked, modelOfDocument(document, newId, globals));
}

/** A new model of a valid document without tags of groups; `test/formats` and `test/actions` have all others. */
function imported(asked: Asked): RefWrite {
  const { content, modelKey, modelName } = asked.input as Readonly<Record<string, string | undefined>>;
  if (content === undefined) throw badParameters("/from", "/content");
  const said = Object(content) as Partial<RefDocument>;
  if (said.$schema !== "urn:metaction:model:2") throw new Refusal("source_not_recognised");
  const key = modelKey ?? said.key;
  if (key === undefined) throw new Refusal("invalid_content", { pointers: ["/key"] });
  const document = filled({ ...said, key, name: modelName ?? said.name ?? key });
  const misfits = misfitsInDocument(asked.definitions, document);
  if (misfits.length > 0) throw badParameters(...misfits);
  // It writes to no model that is there.
  if (asked.pins.length > 0) throw new Refusal("bad_precondition");
  const recognised = new Like("a certain model document", (actual) =>
    Object(actual).format === "metaction" && Object(actual).sure === "certain" ? undefined : JSON.stringify(actual),
  );
  const extra = { counts: countsOf(document), recognised, warnings: [] };
  return { ...begun(asked, modelOfDocument(document, asked.newId, new Map())), extra };
}

function filled(said: Partial<RefDocument> & Pick<RefDocument, "key" | "name">): RefDocument {
  const attributesOf = ({ attributes = [] }: Partial<RefDocument["entities"][number]>) =>
    attributes.map((one) => ({ ...one, optional: one.optional ?? false }));
  const { entities = [], relationships = [] } = said;
  return {
    ...{ version: "0.0.1", authority: "system", types: [], businessKeys: [], localTags: [], tagGroups: [] },
    ...said,
    entities: entities.map((one) => ({ ...one, primaryKey: one.primaryKey ?? [], attributes: attributesOf(one) })),
    relationships: relationships.map((one) => ({ ...one, attributes: attributesOf(one) })),
  };
}

function countsOf({ types, entities, relationships, businessKeys, localTags }: RefDocument) {
  return {
    types: types.length,
    entities: entities.length,
    attributes: [...entities, ...relationships].reduce((sum, holder) => sum + holder.attributes.length, 0),
    relationships: relationships.length,
    businessKeys: businessKeys.length,
    tags: localTags.length,
    globalTags: 0,
  };
}

const readsPast = (params: RefAction["params"]): RefAction => ({
  ...read({ modelRef: need("ModelRef"), ...params }, exported),
  past: true,
  check: checkMoment,
});

export const EXCHANGE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/model_export": readsPast(MOMENT),
  "model/model_export_version": readsPast({ version: need("ModelVersion") }),
  "model/inspect_models_json": get({}, ({ state, tags }) => ({
    models: [...state.models.values()].sort(byKey).map((model) => documentOf(model, tags)),
  })),
  "model/model_copy": writeBy("model_copy", { modelRef: need("ModelRef"), modelNewKey: need("ModelKey") }, copied),
  "model/import": {
    rule: "model_import",
    writes: true,
    manyModels: true,
    params: { content: may("SourceContent"), modelKey: may("ModelKey"), modelName: may("TextSingleLine") },
    run: imported,
  },
};
