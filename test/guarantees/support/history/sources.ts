import { exportOf } from "../reference/document.ts";
import { markedIn } from "../reference/state.ts";
import { documentConstraints } from "./constraint-values.ts";
import { someProperties } from "./property-values.ts";
import type { Surroundings } from "./surroundings.ts";

type Source = Record<string, unknown>;

const TYPES = ["text", "number"];

/** Something to import: a document that was exported, one written by hand, or a source of an unknown format. */
export function anImportSource(s: Surroundings): Source {
  const make = s.chance.weighted<(s: Surroundings) => Source>([
    [exported, 5],
    [ownDocument, 7],
    [unknownSource, 1],
  ]);
  return make(s);
}

const newKey = ({ prefix, chance }: Surroundings) => `${prefix}${chance.pick(["a", "b", "c", "d", "e"])}`;

/** An export of a model without tags of groups; other suites import those. */
function exported(s: Surroundings): Source {
  const models = [...s.state.models.values()].filter((model) =>
    markedIn(model).every(({ globalTags }) => globalTags.length === 0),
  );
  if (models.length === 0) return ownDocument(s);
  // The answer of an export has no members without a value.
  return { ...JSON.parse(JSON.stringify(exportOf(s.chance.pick(models), s.state).body)), key: newKey(s) };
}

function ownDocument(s: Surroundings): Source {
  const { chance } = s;
  const own = () => ({
    ...(chance.happens(0.3) && { properties: someProperties(chance) }),
    ...(chance.happens(0.2) && { origin: `urn:example:hand#/${chance.pick(["a", "b", "c"])}` }),
  });
  const types = TYPES.map((key) => ({ key, ...own(), ...(chance.happens(0.3) && { name: `The ${key}` }) }));
  const localTags = ["a", "b", "c"].slice(chance.below(4)).map((key) => ({ key, ...own() }));
  const marks = () => {
    const tags = localTags.filter(() => chance.happens(0.3)).map(({ key }) => `key:${key}`);
    return tags.length > 0 ? { tags } : {};
  };
  const attribute = (key: string): Source => ({
    key,
    type: `key:${chance.pick(TYPES)}`,
    ...(chance.happens(0.5) && { optional: chance.happens(0.5) }),
    ...own(),
    ...documentConstraints(s),
    ...marks(),
  });
  const role = (key: string) => ({
    key,
    entity: `key:${chance.pick(["left", "right"])}`,
    cardinality: chance.pick(["zeroOrOne", "one", "many", "unknown"]),
  });
  const joined = (roles: readonly Source[]): Source => {
    const isJoined = roles.length === 2 && chance.happens(0.5);
    return { roles, ...(isJoined && { keyPairs: [["key:x", "key:x"]] }) };
  };
  const businessKey = { key: "number", ...own(), entity: "key:left", participants: ["key:x"] };
  return {
    $schema: "urn:metaction:model:2",
    ...(chance.happens(0.9) && { key: newKey(s) }),
    ...(chance.happens(0.7) && { name: "Written by hand" }),
    ...(chance.happens(0.5) && { version: "1.0.0", authority: "canonical" }),
    ...own(),
    ...marks(),
    types,
    entities: ["left", "right"].map((key) => ({
      key,
      ...own(),
      ...marks(),
      attributes: ["z", "y", "x"].slice(chance.below(3)).map(attribute),
      primaryKey: chance.happens(0.5) ? ["key:x"] : [],
    })),
    relationships: ["joins", "meets"].slice(chance.below(3)).map((key) => ({
      key,
      ...own(),
      ...marks(),
      ...joined(["b", "a", "c"].slice(chance.below(2)).map(role)),
      attributes: ["z", "y"].slice(chance.below(3)).map(attribute),
    })),
    businessKeys: chance.happens(0.5) ? [businessKey] : [],
    localTags,
  };
}

function unknownSource({ chance }: Surroundings): Source {
  return chance.pick<Source>([{}, { name: "x" }, { $schema: "urn:metaction:model:9", key: "x" }, { tables: [] }]);
}
