import { definitionsIn } from "../reference/definitions.ts";
import type { Named, RefTag } from "../reference/objects.ts";
import { globalTags } from "../reference/tag-links.ts";
import { someConstraints } from "./constraint-values.ts";
import { anObjectId, aRequest, aRevision, aRun, aSelection, someRevisions } from "./past-values.ts";
import { aPropertyValue, aSchema, PROPERTY_NAMES } from "./property-values.ts";
import { anImportSource } from "./sources.ts";
import type { Surroundings } from "./surroundings.ts";

const NOT_TAG_REFS: readonly unknown[] = [
  ...["a", "key:", "id:1", "key:a b", "key:a/b/c", "key:/a", "key:model/x/a"],
  5,
  {},
];
const UNKNOWN = { local: ["key:none", "key:a"], global: ["key:none/a", "key:global/a/none"] } as const;

type Scope = keyof typeof UNKNOWN;

/** A ref to a tag of one of these scopes, in any of the forms there are; now and then to none, or none at all. */
function aTagRef({ chance, ids, model, state }: Surroundings, scopes: readonly Scope[]): unknown {
  if (chance.happens(0.03)) return chance.pick([...NOT_TAG_REFS, ...(scopes.length === 1 ? otherForms(scopes) : [])]);
  const local = scopes.includes("local") ? (model?.localTags ?? []) : [];
  const global = scopes.includes("global") ? globalTags(state.tags) : [];
  const all = [...local.map((tag) => () => localRef(tag)), ...global.map((tag) => () => globalRef(tag))];
  if (all.length > 0 && chance.happens(0.93)) return chance.pick(all)();
  if (ids.length > 0 && chance.happens(0.5)) return `id:${chance.pick(ids)}`;
  return chance.pick(scopes.flatMap((scope) => UNKNOWN[scope]));

  function localRef({ id, key }: RefTag): string {
    const home = chance.happens(0.9) ? model?.id : chance.pick([...state.models.keys()]);
    return chance.pick([`id:${id}`, `key:${key}`, `key:${key}`, `key:model/${home}/${key}`]);
  }

  function globalRef({ id, shown }: RefTag & { readonly shown: string }): string {
    return chance.pick([`id:${id}`, `key:${shown}`, `key:${shown}`, `key:global/${shown}`]);
  }
}

function otherForms([scope]: readonly Scope[]): readonly string[] {
  return scope === "local" ? ["key:a/b", "key:global/a/b"] : ["key:a"];
}

type Make = (s: Surroundings) => unknown;

const KEYS = ["a", "b", "c", "d", "a#b", "A", "id:x", " ", "__proto__"];
const LINES = ["One", "Two", "Zwei – 二", "🙂", "null", "x".repeat(200)];
const TEXTS = ["One line.", "# Two\n\nlines", "é\u0301 \u202e end", "y".repeat(3_000)];
const LINKS = ["https://example.com/a", "http://example.com/?q=1#f", "mailto:ada@example.com", "ftp://example.com/x"];

const TAG_KEYS = ["a", "b", "c", "A", "a-b", "__proto__"];
const NOT_TAG_KEYS: readonly unknown[] = ["x".repeat(129), "a b", "a/b", "é", 7, []];

const NOT_KEYS: readonly unknown[] = ["x".repeat(129), "it's", "a\nb", "a\u009b", "é", 7, [], {}, true];
const NOT_REFS: readonly unknown[] = ["a", "key:", "id:1", "Key:a", "KEY:a", "name:a", 'key:"', 5, {}, ["key:a"]];
const NOT_LINES: readonly unknown[] = ["  ", "two\nlines", "a\u001b[2J", "a\u0000", "x".repeat(201), 3, false, {}];
const NOT_TEXTS: readonly unknown[] = [" \n ", "a\n\u0080", 3, ["a"], "é".repeat(50_001)];
const NOT_LINKS: readonly unknown[] = [
  ...["example.com", "javascript:alert(1)", "https://ada:secret@example.com/a", "/a", 1],
  `https://e.example/${"x".repeat(2_048)}`,
];

/** A key, mostly one of few, so that objects have had the same. */
const key: Make = ({ chance, undone }) =>
  chance.pick(chance.happens(0.04) ? NOT_KEYS : undone && chance.happens(0.8) ? ["a", "b", "left"] : KEYS);

/** A ref to one of these objects; now and then to one that is gone, lives elsewhere or never was, or to nothing at all. */
export function aRef({ chance, ids, undone }: Surroundings, objects: readonly Named[]): unknown {
  if (chance.happens(0.03)) return chance.pick(NOT_REFS);
  if (objects.length > 0 && chance.happens(0.93)) {
    // Runs are to meet in one object.
    const one = undone && objects[0] && chance.happens(0.5) ? objects[0] : chance.pick(objects);
    return chance.happens(0.5) ? `id:${one.id}` : `key:${one.key}`;
  }
  return ids.length > 0 && chance.happens(0.7)
    ? `id:${chance.pick(ids)}`
    : chance.pick(["key:none", "key:a", "key:x y"]);
}

const oneOf =
  (right: readonly unknown[], wrong: readonly unknown[]): Make =>
  ({ chance }) =>
    chance.pick(chance.happens(0.04) ? wrong : right);

const tagKey: Make = ({ chance }) => (chance.happens(0.04) ? chance.pick(NOT_TAG_KEYS) : chance.pick(TAG_KEYS));

const attributeRef: Make = (s) => aRef(s, s.entity?.attributes ?? []);

/** Pairs of attributes of the entities in the roles of the relationship, or of any two where none is named. */
const pairList: Make = (s) => {
  const { chance, model, relationship } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>(["key:a", [["key:a"]], [["key:a", 1]], [["key:a", "b"]], {}]);
  const entities = model?.entities ?? [];
  const sides = relationship
    ? relationship.roles.flatMap((role) => entities.filter(({ id }) => id === role.entity)).slice(0, 2)
    : [0, 1].flatMap(() => (entities.length > 0 ? chance.pick(entities) : []));
  const pair = (): unknown[] => [0, 1].map((i) => aRef(s, sides[i]?.attributes ?? []));
  return Array.from({ length: chance.below(3) }, pair);
};

const KEYED = ["Type", "Entity", "Attribute", "Relationship", "RelationshipRole", "BusinessKey"];

/** A value for each type of parameter, mostly a good one from a small stock, so that calls meet each other. */
export const VALUES: Readonly<Record<string, Make>> = {
  ModelKey: (s) =>
    s.chance.happens(0.04) ? s.chance.pick(NOT_KEYS) : `${s.prefix}${s.chance.pick(["a", "b", "c", "d", "e"])}`,
  ...Object.fromEntries(KEYED.map((kind) => [`${kind}Key`, key])),
  ModelRef: (s) => aRef(s, [...s.state.models.values()]),
  TypeRef: (s) => aRef(s, s.model?.types ?? []),
  EntityRef: (s) => aRef(s, s.model?.entities ?? []),
  EntityAttributeRef: attributeRef,
  RelationshipRef: (s) => aRef(s, s.model?.relationships ?? []),
  RelationshipRoleRef: (s) => aRef(s, s.relationship?.roles ?? []),
  RelationshipAttributeRef: (s) => aRef(s, s.relationship?.attributes ?? []),
  BusinessKeyRef: (s) => aRef(s, s.model?.businessKeys ?? []),
  RelationshipCardinality: oneOf(["zeroOrOne", "one", "many", "unknown"], ["One", "2", 1]),
  TagKey: tagKey,
  TagGroupKey: tagKey,
  TagGroupRef: (s) => aRef(s, s.state.tags.groups),
  TagRef: (s) => aTagRef(s, ["local", "global"]),
  LocalTagRef: (s) => aTagRef(s, ["local"]),
  GlobalTagRef: (s) => aTagRef(s, ["global"]),
  AttributeSort: oneOf(["declared", "key"], ["order", 1, "KEY"]),
  ObjectId: anObjectId,
  ModelRevision: aRevision,
  "List<ModelRevision>": someRevisions,
  UndoSelection: aSelection,
  RequestIdentifier: aRequest,
  RunRef: aRun,
  OnUndoConflict: oneOf(["keep", "back"], ["Keep", 1]),
  PlanName: oneOf(["0".repeat(64)], ["0".repeat(63), 1]),
  "List<EntityAttributeRef>": (s) => {
    if (s.chance.happens(0.04)) return s.chance.pick<unknown>(["key:a", {}, 1, Array(101).fill("key:a")]);
    const wanted = (s.entity?.attributes ?? []).filter(() => s.chance.happens(0.6));
    if (s.chance.happens(0.5)) wanted.reverse();
    const refs: unknown[] = wanted.map((a) => (s.chance.happens(0.5) ? `id:${a.id}` : `key:${a.key}`));
    if (s.chance.happens(0.05)) refs.push(attributeRef(s));
    return refs;
  },
  PropertyName: ({ chance }) =>
    chance.pick<unknown>(chance.happens(0.04) ? [...NOT_KEYS, "constructor"] : PROPERTY_NAMES),
  PropertyValue: aPropertyValue,
  PropertySchema: aSchema,
  PropertyImpact: oneOf(["cosmetic", "breaking"], ["additive", 1]),
  "List<PropertyHolderKind>": oneOf([["entity"], ["model", "entity", "attribute"], ["tag"]], [["role"], "model", [1]]),
  PropertyDefinitionRef: (s) => aRef(s, definitionsIn(s.state.tags)),
  "List<Pair<EntityAttributeRef>>": pairList,
  TextSingleLine: oneOf(LINES, NOT_LINES),
  TextMarkdown: oneOf(TEXTS, NOT_TEXTS),
  Link: oneOf(LINKS, NOT_LINKS),
  ModelVersion: oneOf(["0.0.1", "1.2.3", "2.0.0-rc.1", "10.20.30"], ["1.2", "v1.2.3", "1.2.3+b", "01.2.3", 1]),
  ModelAuthority: oneOf(["system", "canonical"], ["System", "none", 0]),
  Constraints: someConstraints,
  Boolean: oneOf([true, false], ["true", 1, "yes", []]),
  PageLimit: oneOf([1, 2, 3, 1_000], [0, -1, 1.5, 1_001, "2", true]),
  Cursor: () => "!",
  SourceContent: (s) => (s.chance.happens(0.03) ? s.chance.pick<unknown>(["{", [], 1]) : anImportSource(s)),
};

/** A value of a type; an error that names the type when there is none yet. */
export function aValue(type: string, surroundings: Surroundings): unknown {
  const make = VALUES[type];
  if (!make) throw new Error(`the histories have no values of type ${type}: add some to history/values.ts`);
  return make(surroundings);
}
