import { exportOf } from "../reference/document.ts";
import { documentConstraints } from "./constraint-values.ts";
import { someProperties } from "./property-values.ts";
import type { Surroundings } from "./surroundings.ts";

type Source = Record<string, unknown>;

/** Something to import: a document that was exported, one written by hand, or a source of an unknown format. */
export function anImportSource(s: Surroundings): Source {
  const make = s.chance.weighted<(s: Surroundings) => Source>([
    [exported, 5],
    [ownDocument, 7],
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
  if (chance.happens(0.1)) Reflect.deleteProperty(document, "key");
  return document;
}

function unknownSource({ chance }: Surroundings): Source {
  return chance.pick<Source>([{}, { name: "x" }, { $schema: "urn:metaction:model:9", key: "x" }, { tables: [] }]);
}
