import type { Chance } from "../../../support/chance.ts";
import { exportOf } from "../reference/document.ts";
import { UNKEYED_WORDS } from "../reference/import-keywords.ts";
import { UNKEYED_NAMES } from "../reference/import-tables.ts";
import { documentConstraints } from "./constraint-values.ts";
import { someProperties } from "./property-values.ts";
import type { Surroundings } from "./surroundings.ts";

type Source = Record<string, unknown>;

/** Something to import: a document that was exported, one written by hand, a Table Schema, a Data Package, or nothing of that. */
export function anImportSource(s: Surroundings): Source {
  const make = s.chance.weighted<(s: Surroundings) => Source>([
    [exported, 3],
    [ownDocument, 3],
    [tableSchema, 4],
    [dataPackage, 2],
    [unknownSource, 1],
  ]);
  return make(s);
}

const newKey = ({ prefix, chance }: Surroundings): string => `${prefix}${chance.pick(["a", "b", "c", "d", "e"])}`;

function exported(s: Surroundings): Source {
  const models = [...s.state.models.values()];
  if (models.length === 0) return ownDocument(s);
  // The answer of an export has no members without a value.
  return { ...JSON.parse(JSON.stringify(exportOf(s.chance.pick(models), s.state).body)), key: newKey(s) };
}

interface OwnDocument extends Source {
  entities: Source[];
  relationships: Source[];
  businessKeys: Source[];
  localTags: Source[];
}

function ownDocument(s: Surroundings): Source {
  const { chance } = s;
  const $schema = chance.pick(["urn:metaction:model:1", "urn:metaction:model:2"]);
  // The first version has none.
  const own = () => ($schema.endsWith("2") && chance.happens(0.3) ? { properties: someProperties(chance) } : undefined);
  // A few of them are equal, so that some objects are recognised by them and some by nothing.
  const came = () => ({
    ...(chance.happens(0.2) && { origin: `urn:example:hand#/${chance.pick(["a", "b", "c"])}` }),
    ...($schema.endsWith("2") && chance.happens(0.2) && { renamedFrom: chance.pick(["x", "y", "left", "text", "a"]) }),
  });
  const types = ["text", "number"].map((key) => ({
    key,
    ...came(),
    ...(chance.happens(0.3) && { name: `The ${key}` }),
    ...own(),
  }));
  const localTags = ["a", "b", "c"].slice(chance.below(4)).map((key) => ({ key, ...came(), ...own() }));
  const tagGroups = ["a", "b"].slice(chance.below(5)).map((key) => ({
    key,
    ...(chance.happens(0.2) && { name: "One" }),
    ...own(),
    tags: ["a", "b"]
      .slice(chance.below(2))
      .map((tag) => ({ key: tag, ...(chance.happens(0.2) && { name: "Two" }), ...own() })),
  }));
  const refs = [
    ...localTags.map(({ key }) => `key:${key}`),
    ...tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`)),
  ];
  const marks = () => {
    const tags = refs.filter(() => chance.happens(0.3));
    return tags.length > 0 ? { tags } : {};
  };
  const attribute = (key: string): Source => ({
    key,
    ...came(),
    type: `key:${chance.pick(["text", "number"])}`,
    ...(chance.happens(0.5) && { optional: chance.happens(0.5) }),
    ...own(),
    ...documentConstraints(s),
    ...marks(),
  });
  const role = (key: string) => ({
    key,
    ...($schema.endsWith("2") && chance.happens(0.2) && { renamedFrom: chance.pick(["a", "b", "c"]) }),
    entity: `key:${chance.pick(["left", "right"])}`,
    cardinality: chance.pick(["zeroOrOne", "one", "many", "unknown"]),
  });
  const joined = (roles: readonly Source[]): Source => {
    const isJoined = roles.length === 2 && chance.happens(0.5);
    return { roles, ...(isJoined && { keyPairs: [["key:x", "key:x"]] }) };
  };
  const document: OwnDocument = {
    $schema,
    key: newKey(s),
    ...(chance.happens(0.7) && { name: "Written by hand" }),
    ...(chance.happens(0.5) && { version: "1.0.0", authority: "canonical", origin: "urn:example:hand" }),
    ...own(),
    ...marks(),
    types,
    entities: ["left", "right"].map((key) => ({
      key,
      ...came(),
      ...own(),
      ...marks(),
      attributes: ["z", "y", "x"].slice(chance.below(3)).map(attribute),
      primaryKey: chance.happens(0.5) ? ["key:x"] : [],
    })),
    relationships: ["joins", "meets"].slice(chance.below(3)).map((key) => ({
      key,
      ...came(),
      ...own(),
      ...marks(),
      ...joined(["b", "a", "c"].slice(chance.below(2)).map(role)),
      attributes: ["z", "y"].slice(chance.below(3)).map(attribute),
    })),
    businessKeys: ["number"].slice(chance.below(2)).map((key) => ({
      key,
      ...own(),
      entity: "key:left",
      participants: ["key:x"],
    })),
    localTags,
    tagGroups,
  };
  if (chance.happens(0.2)) spoil(document, chance);
  return document;
}

const SPOILT_PROPERTIES: readonly unknown[] = [
  7,
  { "it's": 1 },
  { a: "x".repeat(64_000) },
  Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, i])),
];

/** Puts one fault into a document. */
function spoil(document: OwnDocument, chance: Chance): void {
  const { entities, relationships, businessKeys, localTags } = document;
  const [first = {}] = entities;
  const attributes = first.attributes as Source[];
  const ofRelationship = (change: (relationship: Source, roles: Source[]) => unknown) => () => {
    const roles = [
      { key: "b", entity: "key:left", cardinality: "one" },
      { key: "a", entity: "key:right", cardinality: "many" },
    ];
    const relationship: Source = { key: "spoilt", roles };
    relationships.push(relationship);
    change(relationship, roles);
  };
  const faults: (() => unknown)[] = [
    () => Reflect.deleteProperty(document, "key"),
    () => attributes.push({ key: "w", type: "key:none", optional: true }),
    () => attributes.push({ key: "x", type: "key:text", optional: true }),
    () => attributes.push({ key: "v", type: "key:text", constraints: { maxLength: "1", minLength: -1 } }),
    () => attributes.push({ key: "v", type: "key:text", constraints: [] }),
    () => attributes.push({ key: "it's", type: "key:text", optional: true }),
    () => {
      entities.push({ key: "left", attributes: [], primaryKey: [] });
      // Which of the two is meant, is a matter of taste.
      document.businessKeys = [];
      for (const relationship of relationships) Reflect.deleteProperty(relationship, "keyPairs");
    },
    () => {
      document.$schema = "urn:metaction:model:2";
      first.properties = chance.pick(SPOILT_PROPERTIES);
    },
    () => {
      first.primaryKey = ["key:none"];
    },
    () => {
      first.tags = ["key:none"];
    },
    () => localTags.push({ key: "a b" }),
    () => businessKeys.push({ key: "spoilt", entity: "key:left", participants: ["key:none"] }),
    () => businessKeys.push({ key: "spoilt", entity: "key:none", participants: [] }),
    ofRelationship((_, roles) => roles.pop()),
    ofRelationship((_, roles) => roles.push({ key: "a", entity: "key:left", cardinality: "one" })),
    ofRelationship((_, roles) => roles.push({ key: "c", entity: "key:none", cardinality: "one" })),
    ofRelationship((_, roles) => roles.push({ key: "c", entity: "key:left", cardinality: "two" })),
    ofRelationship((relationship) => {
      relationship.keyPairs = [["key:x", "key:none"]];
    }),
    ofRelationship((relationship) => {
      relationship.keyPairs = [...Array(2).fill(["key:x", "key:x"])];
    }),
    ofRelationship((relationship, roles) => {
      roles.push({ key: "c", entity: "key:left", cardinality: "one" });
      relationship.keyPairs = [["key:x", "key:x"]];
    }),
    ofRelationship((relationship) => {
      relationship.attributes = [{ key: "w", type: "key:none" }];
    }),
  ];
  chance.pick(faults)();
}

const FIELD_NAMES = ["code", "label", "since", "code", ...Object.keys(UNKEYED_NAMES)];

function fields(chance: Chance): Source[] {
  return Array.from({ length: 1 + chance.below(4) }, () => ({
    name: chance.pick(FIELD_NAMES),
    ...(chance.happens(0.7) && { type: chance.pick(["string", "integer", "date", "any"]) }),
    ...(chance.happens(0.3) && { title: "A title" }),
    ...(chance.happens(0.3) && { description: "A *description*." }),
    ...(chance.happens(0.4) && { constraints: aConstraint(chance) }),
    ...(chance.happens(0.2) && { format: chance.pick(["default", "email"]) }),
  }));
}

function aConstraint(chance: Chance): Source {
  return {
    ...(chance.happens(0.7) && { required: true }),
    ...(chance.happens(0.2) && { minLength: 2 }),
    ...(chance.happens(0.3) && { unique: true }),
  };
}

const KEYWORDS = ["a", "b", " c ", "A", "", 7, ...Object.keys(UNKEYED_WORDS)];

const keywords = (chance: Chance): Source =>
  chance.happens(0.35) ? { keywords: chance.happens(0.05) ? "a, b" : KEYWORDS.filter(() => chance.happens(0.3)) } : {};

/** Keys that lead to a table of these names, or astray. */
function foreignKeys(chance: Chance, names: readonly string[]): Source {
  if (!chance.happens(0.35)) return {};
  const some = () => {
    const wanted = FIELD_NAMES.slice(0, 3).filter(() => chance.happens(0.4));
    return wanted.length === 1 && chance.happens(0.5) ? wanted[0] : [...wanted, "code"].slice(0, wanted.length || 1);
  };
  const one = () => {
    const fields = some();
    const resource = chance.happens(0.1) ? "none" : chance.pick([...names, ""]);
    const itself = chance.happens(0.2);
    return {
      fields,
      reference: { ...(!itself && { resource }), fields: chance.happens(0.8) ? fields : some() },
    };
  };
  return { foreignKeys: Array.from({ length: 1 + chance.below(2) }, one) };
}

function schemaOf(chance: Chance, names: readonly string[]): Source {
  const all = fields(chance);
  // Fields of a primary key that may be missing are spoken of, in words that are the importer's own.
  const [first] = all.filter((f) => all.filter((g) => g.name === f.name).length === 1);
  const required = first && Reflect.get(Object(first.constraints), "required") === true ? first : undefined;
  if (chance.happens(0.1)) Reflect.deleteProperty(chance.pick(all), "name");
  if (chance.happens(0.1)) chance.pick(all).type = "strnig";
  const key = required && "name" in required ? required.name : undefined;
  return {
    fields: all,
    ...(key !== undefined && { primaryKey: chance.happens(0.5) ? key : [key] }),
    ...keywords(chance),
    ...foreignKeys(chance, names),
  };
}

const head = ({ chance }: Surroundings): Source => ({
  ...(chance.happens(0.4) && { title: "A table" }),
  ...(chance.happens(0.3) && { description: chance.pick(["What it holds.", "What\u001b[1m it\u009b \0holds."]) }),
  ...(chance.happens(0.3) && { homepage: "https://example.com/table" }),
  ...(chance.happens(0.4) && { version: chance.pick(["1.2.3", "v2.0.0", "latest"]) }),
});

function tableSchema(s: Surroundings): Source {
  const broken = s.chance.happens(0.05);
  const name = newKey(s);
  return { name, ...head(s), ...(broken ? { fields: "none" } : schemaOf(s.chance, [name])) };
}

function dataPackage(s: Surroundings): Source {
  const { chance } = s;
  const names = ["first", "second"].slice(chance.below(2));
  const resources = names.map((name) => ({
    name,
    ...(chance.happens(0.3) && { title: `The ${name}` }),
    ...keywords(chance),
    schema: schemaOf(chance, ["first", "second"]),
  }));
  return { name: newKey(s), ...head(s), ...keywords(chance), resources };
}

function unknownSource({ chance }: Surroundings): Source {
  return chance.pick<Source>([{}, { name: "x" }, { $schema: "urn:metaction:model:9", key: "x" }, { tables: [] }]);
}
