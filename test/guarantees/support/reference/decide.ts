import { type Asked, needNamed, type Pin, type RefAction, type RefInput, type RefRead } from "./action.ts";
import type { Person } from "./callers.ts";
import { definitionsIn } from "./definitions.ts";
import type { RefModel, RefTags } from "./objects.ts";
import { Refusal } from "./problem.ts";
import type { RefState } from "./state.ts";
import { spellings, tagName } from "./tag-refs.ts";
import type { Ledger, RefWrite } from "./write-result.ts";

/** The state, the time and the sources of ids that the reference has when a call comes. */
export interface Circumstances {
  readonly state: RefState;
  readonly now: number;
  readonly newId: () => string;
  readonly newCursor: () => string;
  /** The id of the request; without it the commit is not kept in the model's past. */
  readonly requestId?: string;
}

/** Refuses a caller who may not run an action with this rule. */
export function mayRun(person: Person | undefined, rule: string): void {
  if (!person) throw new Refusal("not_signed_in");
  if (rule !== "signed_in" && !person.permissions.has(rule)) throw new Refusal("not_allowed");
}

export const etagOf = ({ id, revision }: Ledger): string => `${id}-${revision}`;

/** The pinned revision has to be the one it is at. */
export function requirePinned({ id, revision }: Ledger, pins: readonly Pin[]): void {
  const isMoved = pins.some((pin) => pin.ledgerId !== id || pin.revision !== revision);
  if (isMoved) throw new Refusal("precondition_failed", { currentRevision: revision });
}

/** True for an action that is about one model, which may say so about another too. */
export const isOfModel = ({ params }: RefAction): boolean => params.modelRef?.required === true;

/** The model a ref names; a deleted one, as it was last, where its past may be seen. */
function modelNamed(ref: unknown, { models, past }: RefState, seesDeleted: boolean): RefModel {
  const id = /^id:(.*)$/.exec(String(ref))?.[1]?.toLowerCase() ?? "";
  const commits = past.get(id) ?? [];
  const last = commits.findLast(({ model }) => model !== undefined)?.model;
  if (seesDeleted && last && !models.has(id)) return { ...last, revision: commits.length };
  return needNamed(models.values(), ref);
}

const OF_TAGS = ["TagGroupRef", "GlobalTagRef", "PropertyDefinitionRef"];

/** The model that an action is about, or the tags of all models; `not_found` for the former. */
export function addressed(action: RefAction, input: RefInput, state: RefState, seesDeleted: boolean) {
  const { params } = action;
  if (isOfModel(action)) return modelNamed(input.modelRef, state, seesDeleted);
  const types = Object.values(params).map(({ type }) => type);
  const isOfTags = action.ledger === "tags" || types.some((type) => OF_TAGS.includes(type));
  return isOfTags ? state.tags : undefined;
}

interface About {
  readonly pins: readonly Pin[];
  /** True for whoever may look at the past of deleted models. */
  readonly seesDeleted: boolean;
  /** Called when the tags of groups matter to the answer. */
  readonly openTags: () => void;
  readonly openDefinitions: () => void;
}

/** The decision of an action, made after every object that its refs name was found. */
export function decide(
  action: RefAction,
  input: RefInput,
  person: Person | undefined,
  { state, now, newId, newCursor }: Circumstances,
  { pins, seesDeleted, openTags, openDefinitions }: About,
): RefWrite | RefRead {
  const model = isOfModel(action) ? modelNamed(input.modelRef, state, seesDeleted) : undefined;
  const past = (model && state.past.get(model.id)) ?? [];
  const inPath = named(action, input, model, state);
  const cursorAfter = (place: string) => {
    const cursor = newCursor();
    state.cursors.set(cursor, place);
    return cursor;
  };
  const tags = (): RefTags => {
    openTags();
    return state.tags;
  };
  const definitions = (): RefTags => {
    openDefinitions();
    return state.tags;
  };
  const time = new Date(now).toISOString();
  const asked = { state, input, person, pins, newId, time, cursorAfter, tags, definitions, model, past, ...inPath };
  // The objects that the action's own parameters name are there; it asks for no others.
  return action.run(asked as Asked);
}

function named({ params }: RefAction, input: RefInput, model: RefModel | undefined, { tags }: RefState) {
  const isOf = (name: string, type: string) => params[name]?.type === type;
  if (isOf("tagGroupRef", "TagGroupRef")) return { group: needNamed(tags.groups, input.tagGroupRef) };
  if (isOf("definitionRef", "PropertyDefinitionRef"))
    return { definition: needNamed(definitionsIn(tags), input.definitionRef) };
  if (isOf("groupRef", "TagGroupRef")) return { group: needNamed(tags.groups, input.groupRef) };
  if (isOf("tagRef", "GlobalTagRef")) return globalTagNamed(String(input.tagRef), tags);
  if (!model) return {};
  if (isOf("typeRef", "TypeRef")) return { type: needNamed(model.types, input.typeRef) };
  if (isOf("tagRef", "LocalTagRef")) return { localTag: localTagNamed(String(input.tagRef), model) };
  if (isOf("businessKeyRef", "BusinessKeyRef"))
    return { businessKey: needNamed(model.businessKeys, input.businessKeyRef) };
  const entity = isOf("entityRef", "EntityRef") ? needNamed(model.entities, input.entityRef) : undefined;
  const relationship = isOf("relationshipRef", "RelationshipRef")
    ? needNamed(model.relationships, input.relationshipRef)
    : undefined;
  const holder = entity ?? relationship;
  const isAttribute = params.attributeRef?.type.endsWith("AttributeRef") ?? false;
  const attribute = holder && isAttribute ? needNamed(holder.attributes, input.attributeRef) : undefined;
  return { entity, relationship, holder, attribute };
}

function localTagNamed(ref: string, model: RefModel) {
  const { id, key, model: ofModel } = tagName(ref) ?? {};
  const isHere = ofModel === undefined || ofModel === model.id;
  const found = isHere && model.localTags.find((tag) => (id === undefined ? tag.key === key : tag.id === id));
  if (found) return found;
  throw new Refusal("not_found", { mentions: spellings(ref) });
}

function globalTagNamed(ref: string, { groups }: RefTags): Pick<Asked, "group" | "globalTag"> {
  const { id, key, group: inGroup } = tagName(ref) ?? {};
  for (const group of groups) {
    const fits = id !== undefined || group.key === inGroup;
    const globalTag = fits && group.tags.find((tag) => (id === undefined ? tag.key === key : tag.id === id));
    if (globalTag) return { group, globalTag };
  }
  throw new Refusal("not_found", { mentions: spellings(ref) });
}
