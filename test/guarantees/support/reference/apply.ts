import { namesIn } from "../../../store/support/naive-match.ts";
import { type Asked, may, needNamed, type RefAction, type RefInput } from "./action.ts";
import { requirePinned } from "./decide.ts";
import { misfitsIn } from "./definitions.ts";
import { modelOfDocument } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { imagesOf } from "./images.ts";
import { RECOGNISED, readSource } from "./import.ts";
import { begun } from "./models.ts";
import type { RefModel } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import { ordered } from "./properties.ts";
import { changesTo } from "./restore.ts";
import { markedIn } from "./state.ts";
import type { RefWrite } from "./write-result.ts";

type Source = Readonly<Record<string, unknown>>;
type Listed = { readonly id: string; key: string; readonly [member: string]: unknown };

/** The lists that documents of the histories have: of objects without others inside. */
const LISTS = ["types", "entities", "localTags"] as const;
const MEMBERS = ["name", "description", "properties", "origin", "documentationHome"];

function checkParameters({ modelRef, modelKey, create, from, content, source }: RefInput): void {
  if ((modelRef === undefined) === (modelKey === undefined)) throw badParameters("/modelRef", "/modelKey");
  if (modelRef !== undefined && create === true) throw badParameters("/create");
  if (modelKey !== undefined && create !== true) throw badParameters("/modelKey", "/create");
  if (source !== undefined && create !== true) throw badParameters("/source");
  if ((from === undefined) === (content === undefined)) throw badParameters("/from", "/content");
}

/** Sets the members that a document has, clears those that it has null for, and leaves the others. */
function setMembers(object: Record<string, unknown>, said: Source): void {
  for (const member of MEMBERS) {
    const value = said[member];
    if (value === undefined || (value === null && member === "name" && object.types)) continue;
    if (value === null) delete object[member];
    else if (member !== "properties") object[member] = value;
    else {
      const all = ordered({ ...(object.properties as object), ...(value as object) }) as object;
      if (Object.keys(all).length > 0) object.properties = all;
    }
  }
}

/** A model once it is what a document says of it. */
function appliedTo(model: RefModel, said: Source, prune: boolean, newId: () => string): RefModel {
  const after = structuredClone(model);
  setMembers(after as unknown as Record<string, unknown>, said);
  const names = namesIn(model, said, false);
  const gone = new Set<string>();
  for (const list of LISTS) {
    const wanted = said[list] as readonly Source[] | undefined;
    if (!wanted) continue;
    const before = model[list] as readonly { readonly id: string; readonly key: string }[];
    const byName = new Map(before.map((one) => [names.get(one), one.id]));
    const objects = after[list] as unknown as Listed[];
    const kept = new Set<string>();
    for (const one of wanted) {
      const id = byName.get(names.get(one));
      const known = objects.find((object) => object.id === id);
      const empty = list === "entities" ? { tags: [], globalTags: [], attributes: [], primaryKey: [] } : {};
      const object = known ?? ({ id: newId(), key: "", ...empty } as Listed);
      if (!known) objects.push(object);
      object.key = String(one.key);
      kept.add(object.id);
      setMembers(object as unknown as Record<string, unknown>, one);
    }
    for (const { id } of prune ? before : []) if (!kept.has(id)) gone.add(id);
  }
  return without(after, gone);
}

/** A model without some types, entities and tags, and without what goes with these. */
function without(model: RefModel, gone: ReadonlySet<string>): RefModel {
  const stays = ({ id }: { readonly id: string }): boolean => !gone.has(id);
  model.types = model.types.filter(stays);
  model.entities = model.entities.filter(stays);
  model.localTags = model.localTags.filter(stays);
  model.businessKeys = model.businessKeys.filter(({ entity }) => !gone.has(entity));
  const attributes = [...model.entities, ...model.relationships].flatMap((holder) => holder.attributes);
  const used = [
    ...attributes.map(({ type }) => type),
    ...model.relationships.flatMap((r) => r.roles.map((o) => o.entity)),
  ];
  for (const list of LISTS) {
    const keys = model[list].map(({ key }) => key);
    if (new Set(keys).size < keys.length) throw new Refusal("key_taken");
  }
  if (used.some((id) => gone.has(id))) throw new Refusal("still_used");
  const living = new Set(model.localTags.map(({ id }) => id));
  for (const one of markedIn(model)) {
    if (one.tags.some((id) => gone.has(id))) one.tags = one.tags.filter((id) => living.has(id));
  }
  return model;
}

/** A document without the members that it clears. */
export function withoutNulls(said: Source): Source {
  const kept = (one: object) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
  const lists = LISTS.flatMap((list) => (Array.isArray(said[list]) ? [[list, said[list].map(kept)] as const] : []));
  return { ...kept(said), ...Object.fromEntries(lists) };
}

const STEPS = new Like("a list of steps", (actual) => (Array.isArray(actual) ? undefined : "no list"));

/** The members of the answer beside those of every write. */
function told(changes: number) {
  const plan = new Like("the name of a plan", (actual) =>
    /^[0-9a-f]{64}$/.test(String(actual)) ? undefined : "no name",
  );
  const stepCount = new Like("a number of steps", (actual) =>
    Number(actual) > 0 === changes > 0 ? undefined : `${actual} steps for ${changes} changes`,
  );
  const some = new Like("a number", (actual) => (Number(actual) >= 0 ? undefined : "no number"));
  const counts = { breaking: some, additive: some, cosmetic: some };
  return {
    extra: { plan, stepCount, ...counts, globalTags: 0, recognised: RECOGNISED, warnings: [] },
    rehearsed: { steps: STEPS, likelyRenames: STEPS },
  };
}

function applied(asked: Asked): RefWrite {
  const { input, state, pins, person, newId } = asked;
  const { modelRef, modelKey, content, format, prune, plan, source } = input;
  // The histories name only addresses that must not be fetched.
  if (content === undefined) throw new Refusal("source_not_recognised");
  const said = content as Source;
  const terms = { modelKey: modelKey as string | undefined, modelName: undefined };
  const { document } = readSource(typeof content === "string" ? content : withoutNulls(said), terms, format);
  // A source is read before the model is looked for.
  const all = [...state.models.values()];
  const model = modelRef === undefined ? all.find(({ key }) => key === modelKey) : needNamed(all, modelRef);
  if (model)
    requirePinned(
      model,
      pins.filter(({ ledgerId }) => ledgerId === model.id),
    );
  const isMadeFrom = model?.id === said.id || [source, said.origin].includes(model?.origin ?? null);
  if (source !== undefined && model && !isMadeFrom) throw new Refusal("key_taken");
  const write = model ? onto(model) : anew();
  if (plan !== undefined) throw new Refusal("plan_outdated", model ? { currentRevision: model.revision } : {});
  const now = imagesOf(model);
  const misfits = [...imagesOf(write.after)].flatMap(([id, { kind, members }]) =>
    JSON.stringify(members.properties) === JSON.stringify(now.get(id)?.members.properties)
      ? []
      : misfitsIn(asked.definitions, kind, members),
  );
  if (misfits.length > 0) throw badParameters(...misfits.map(() => "/content"));
  if (pins.some(({ ledgerId }) => ledgerId !== model?.id)) throw new Refusal("bad_precondition");
  return write.made();

  function onto(before: RefModel) {
    const after = appliedTo(before, said, prune === true, newId);
    const changes = changesTo(after, before);
    const { id, key, revision } = before;
    const apply = () => state.models.set(id, { ...after, revision: revision + 1 });
    const subject = { id, key };
    return {
      after,
      made: (): RefWrite => ({
        does: "write",
        subject,
        ledger: { id, revision },
        changes,
        ...told(changes.length),
        apply,
      }),
    };
  }

  function anew() {
    if (!person?.permissions.has("model_import")) throw new Refusal("not_allowed");
    const after = modelOfDocument(
      source === undefined ? document : { ...document, origin: document.origin ?? String(source) },
      newId,
      new Map(),
    );
    return {
      after,
      made: (): RefWrite => {
        const write = begun(asked, after);
        return { ...write, ...told(1) };
      },
    };
  }
}

/** `model_apply`, as far as the histories go: documents of texts, types, entities and local tags. */
export const MODEL_APPLY: RefAction = {
  rule: "model_write",
  writes: true,
  manyModels: true,
  params: {
    modelRef: may("ModelRef"),
    modelKey: may("ModelKey"),
    create: may("Boolean"),
    from: may("Location"),
    content: may("SourceContent"),
    format: may("SourceFormat"),
    allowUnknown: may("Boolean"),
    lenient: may("Boolean"),
    prune: may("Boolean"),
    source: may("SourceLabel"),
    plan: may("PlanName"),
  },
  check: checkParameters,
  run: applied,
};
