import { type Checked, newKey, type Stage } from "./stage.ts";

/** A model to work on, named both ways. */
export interface Made {
  readonly id: string;
  readonly key: string;
  /** `key:<key>` */
  readonly ref: string;
  /** `id:<id>` */
  readonly byId: string;
}

const made = ({ body }: Checked): Made => madeOf(body);

/** An empty model. */
export async function aModel(stage: Stage, key = newKey("model")): Promise<Made> {
  return made(await stage.ok("model/model_create", { key, name: `Model ${key}` }));
}

/** A type of a model. */
export async function aType(stage: Stage, model: Made, key = newKey("type")): Promise<Made> {
  return made(await stage.ok("model/type_create", { modelRef: model.ref, typeKey: key }));
}

/** An entity of a model. */
export async function anEntity(stage: Stage, model: Made, key = newKey("entity")): Promise<Made> {
  return made(await stage.ok("model/entity_create", { modelRef: model.ref, entityKey: key }));
}

/** An attribute of an entity; required, unless told otherwise. */
export async function anAttribute(
  stage: Stage,
  place: { readonly model: Made; readonly entity: Made; readonly type: Made },
  key = newKey("attribute"),
): Promise<Made> {
  const { model, entity, type } = place;
  return made(
    await stage.ok("model/entity_attribute_create", {
      modelRef: model.ref,
      entityRef: entity.ref,
      attributeKey: key,
      type: type.ref,
      optional: false,
    }),
  );
}

/** The model that the examples of all actions work on, and its twin with the same keys, in which nothing of it may be found. */
export interface Example {
  readonly model: Made;
  readonly string: Made;
  readonly integer: Made;
  readonly unused: Made;
  readonly customer: Made;
  readonly code: Made;
  /** The model's revision. */
  readonly revision: number;
}

/** A model with the types `string`, `integer` and `unused` and the entity `customer` with the attribute `code`. */
export async function exampleModel(stage: Stage, key = "crm"): Promise<Example> {
  const model = await aModel(stage, key);
  const string = await aType(stage, model, "string");
  const integer = await aType(stage, model, "integer");
  const unused = await aType(stage, model, "unused");
  const customer = await anEntity(stage, model, "customer");
  const code = await anAttribute(stage, { model, entity: customer, type: string }, "code");
  return { model, string, integer, unused, customer, code, revision: 6 };
}

/** A copy of an example model under a key of its own. */
export async function copyOf(stage: Stage, example: Example): Promise<Example> {
  const key = newKey("copy");
  const model = made(await stage.ok("model/model_copy", { modelRef: example.model.byId, modelNewKey: key }));
  const { types, entities } = await stage.read("model/model_export", { modelRef: model.byId });
  const [integer, string, unused] = types.map((type: Row) => madeOf(type));
  return {
    model,
    string,
    integer,
    unused,
    customer: madeOf(entities[0]),
    code: madeOf(entities[0].attributes[0]),
    revision: 1,
  };
}

type Row = { readonly id: string; readonly key: string };

const madeOf = ({ id, key }: Row): Made => ({ id, key, ref: `key:${key}`, byId: `id:${id}` });

/** The model's revision as `model_get` tells it. */
export async function revisionOf(stage: Stage, model: Made): Promise<number> {
  return (await stage.read("model/model_get", { modelRef: model.byId })).revision;
}
