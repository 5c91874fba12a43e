import { DOCUMENT_SCHEMA } from "../../../shared/domain/document/document.ts";
import type { Chance } from "../../support/chance.ts";
import type { World } from "../../support/world.ts";
import type { Exported, ListedTag } from "./search-scan.ts";

/** Words that are one without accents and case, and some that begin like others. */
const WORDS = [
  ..."Straße STRASSE STRAẞE strasse École e\u0301cole ECOLE Señor SENOR señora façade Façade FACADE bung".split(" "),
  ...'Köln ko\u0308ln KOLN ΌΛΟΣ όλος Йод йод ИОД order Order orders code a_b 100% x\\y a"b * AND'.split(" "),
  ...["Code 1", "À la carte", "a la"],
];
const KEYS = ["order", "Orders", "code", "CODE 1", "a_b", "100%", "zip", "cafe", "line item", "strasse"];

const someText = (chance: Chance): string =>
  Array.from({ length: 1 + chance.below(4) }, () => chance.pick(WORDS)).join(chance.pick([" ", " ", "\n"]));

/** A part of a text, in one of the ways in which it may be asked for. */
export function someNeedle(chance: Chance): string {
  const text = chance.pick(chance.happens(0.7) ? WORDS : KEYS);
  const from = chance.happens(0.5) ? 0 : chance.below(text.length);
  const part = chance.happens(0.6) ? text : text.slice(from, from + 1 + chance.below(4));
  return chance.weighted([
    [part, 12],
    [` ${part}\t`, 2],
    ["", 1],
  ]);
}

export const PROPERTIES = [{ a: 1 }, { a: "1", b: true }, { b: { c: [2] } }];

function described(chance: Chance): object {
  return {
    ...(chance.happens(0.5) && { name: someText(chance).replaceAll("\n", " ") }),
    ...(chance.happens(0.5) && { description: someText(chance) }),
    ...(chance.happens(0.4) && { properties: chance.pick(PROPERTIES) }),
  };
}

const someKeys = (chance: Chance, most: number): readonly string[] => [
  ...new Set(Array.from({ length: chance.below(most + 1) }, () => chance.pick(KEYS))),
];

const CONSTRAINTS = [{ format: "email" }, { format: "date", enum: ["2020-01-01"] }, { minimum: 1, maximum: 2 }];

/** A model document with a bit of everything, and marks of its own tags and of those given. */
export function someDocument(chance: Chance, key: string, globalTags: readonly ListedTag[]): object {
  const localTags = ["draft", "reviewed", "old"]
    .slice(0, chance.below(4))
    .map((tag) => ({ key: tag, ...described(chance) }));
  const refs = [
    ...localTags.map((tag) => `key:${tag.key}`),
    ...globalTags.map((tag) => `key:${tag.group.key}/${tag.key}`),
  ];
  const marks = () => ({ tags: refs.filter(() => chance.happens(0.15)) });
  const attributes = () =>
    someKeys(chance, 4).map((name) => ({
      key: name,
      ...described(chance),
      type: "key:text",
      optional: true,
      ...(chance.happens(0.4) && { constraints: chance.pick(CONSTRAINTS) }),
      ...marks(),
    }));
  const entities = [...someKeys(chance, 4), "always"].map((name) => ({
    ...{ key: name, ...described(chance), ...marks(), attributes: attributes() },
    primaryKey: [],
  }));
  const role = (name: string) => ({
    ...{ key: name, entity: `key:${chance.pick(entities).key}`, cardinality: "one" },
    ...(chance.happens(0.5) && { name: chance.pick(WORDS) }),
  });
  return {
    ...{ $schema: DOCUMENT_SCHEMA, key, name: someText(chance).replaceAll("\n", " ") },
    ...(chance.happens(0.5) && { description: someText(chance) }),
    ...{ version: "0.0.1", authority: "system", ...marks() },
    types: [{ key: "text", ...described(chance) }],
    entities,
    relationships: someKeys(chance, 3).map((name) => ({
      ...{ key: name, ...described(chance), ...marks(), attributes: attributes() },
      roles: [role("left"), role("right"), ...(chance.happens(0.3) ? [role("a third")] : [])],
    })),
    businessKeys: someKeys(chance, 2).map((name) => ({
      ...{ key: name, ...described(chance), entity: `key:${chance.pick(entities).key}`, participants: [] },
    })),
    localTags,
    tagGroups: [{ key: "privacy", tags: globalTags.map(({ key: tag }) => ({ key: tag })) }],
  };
}

/** Writes something, and answers what: the name of an action. `models` are the exports of all there are. */
export async function someWrite(
  world: World,
  chance: Chance,
  models: readonly Exported[],
  globalTags: readonly ListedTag[],
): Promise<string> {
  const model = chance.pick(models);
  const modelRef = `id:${model.id}`;
  const entityRef = `id:${chance.pick<Exported>(model.entities).id}`;
  const value = someText(chance).replaceAll("\n", " ");
  const fresh = `${chance.pick(KEYS)} ${chance.below(1e6)}`;
  const refs = [...model.localTags, ...globalTags].map(({ id }) => `id:${id}`);
  const content = someDocument(chance, fresh, globalTags);
  const writes: readonly (readonly [action: string, weight: number, payload: object | undefined])[] = [
    ["model/model_update_key", 3, { modelRef, value: fresh }],
    ["model/model_update_name", 2, { modelRef, value }],
    ["model/model_update_description", 1, { modelRef, value: chance.happens(0.5) ? value : "" }],
    ["model/entity_create", 3, { modelRef, entityKey: fresh, name: value }],
    ["model/entity_update_key", 3, { modelRef, entityRef, value: fresh }],
    ["model/entity_update_description", 3, { modelRef, entityRef, value }],
    ["model/entity_delete", 1, model.entities.length > 3 ? { modelRef, entityRef } : undefined],
    ["model/type_create", 1, { modelRef, typeKey: fresh }],
    ["model/entity_add_tag", 4, refs.length > 0 ? { modelRef, entityRef, tagRef: chance.pick(refs) } : undefined],
    ["model/model_add_tag", 2, refs.length > 0 ? { modelRef, tagRef: chance.pick(refs) } : undefined],
    ["tag/tag_local_create", 2, { modelRef, key: `t${chance.below(1e6)}` }],
    ["tag/tag_local_delete", 2, lastOf(model.localTags, (tagRef) => ({ modelRef, tagRef }))],
    ["tag/tag_global_create", 2, { groupRef: "key:privacy", key: `t${chance.below(1e6)}` }],
    ["tag/tag_global_delete", 1, lastOf(globalTags, (tagRef) => ({ tagRef }))],
    ["model/model_delete", 1, models.length > 3 ? { modelRef } : undefined],
    ["model/import", 1, models.length < 8 ? { content } : undefined],
  ];
  const possible = writes.flatMap(([action, weight, payload]) =>
    payload ? [[{ action, payload }, weight] as const] : [],
  );
  const { action, payload } = chance.weighted(possible);
  try {
    await world.run(action, payload);
  } catch (error) {
    // An entity in a role stays.
    if ((error as { code?: string }).code !== "still_used") throw error;
  }
  return action;
}

function lastOf(tags: readonly { readonly id: string }[], payload: (ref: string) => object): object | undefined {
  const last = tags.at(-1);
  return last && payload(`id:${last.id}`);
}
