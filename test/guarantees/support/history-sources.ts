import type { Chance } from "./history-chance.ts";
import type { Surroundings } from "./history-values.ts";
import { documentOf } from "./reference-exchange.ts";
import { UNKEYED_NAMES } from "./reference-import.ts";

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
  // As it was answered: without members that have no value.
  return { ...JSON.parse(JSON.stringify(documentOf(s.chance.pick(models)))), key: newKey(s) };
}

function ownDocument(s: Surroundings): Source {
  const { chance } = s;
  const types = ["text", "number"].map((key) => ({ key, ...(chance.happens(0.3) && { name: `The ${key}` }) }));
  const attribute = (key: string): Source => ({
    key,
    type: `key:${chance.pick(["text", "number"])}`,
    ...(chance.happens(0.5) && { optional: chance.happens(0.5) }),
  });
  const document: Source & { entities: Source[] } = {
    $schema: "urn:metaction:model:1",
    key: newKey(s),
    ...(chance.happens(0.7) && { name: "Written by hand" }),
    ...(chance.happens(0.5) && { version: "1.0.0", authority: "canonical", origin: "urn:example:hand" }),
    types,
    entities: ["left", "right"].map((key) => ({
      key,
      attributes: ["z", "y", "x"].slice(chance.below(3)).map(attribute),
      primaryKey: chance.happens(0.5) ? ["key:x"] : [],
    })),
  };
  if (chance.happens(0.25)) spoil(document, chance);
  return document;
}

/** One thing wrong with it. */
function spoil(document: Source & { entities: Source[] }, chance: Chance): void {
  const [first = {}] = document.entities;
  const attributes = first.attributes as Source[];
  const faults: (() => unknown)[] = [
    () => Reflect.deleteProperty(document, "key"),
    () => attributes.push({ key: "w", type: "key:none", optional: true }),
    () => attributes.push({ key: "x", type: "key:text", optional: true }),
    () => attributes.push({ key: "it's", type: "key:text", optional: true }),
    () => document.entities.push({ key: "left", attributes: [], primaryKey: [] }),
    () => {
      first.primaryKey = ["key:none"];
    },
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
    ...(chance.happens(0.4) && { constraints: { required: true, ...(chance.happens(0.3) && { minLength: 2 }) } }),
    ...(chance.happens(0.2) && { format: chance.pick(["default", "email"]) }),
  }));
}

function schemaOf(chance: Chance): Source {
  const all = fields(chance);
  // Fields of a primary key that may be missing are spoken of, in words that are the importer's own.
  const [first] = all.filter((f) => all.filter((g) => g.name === f.name).length === 1);
  const required = first && Reflect.get(Object(first.constraints), "required") === true ? first : undefined;
  if (chance.happens(0.1)) Reflect.deleteProperty(chance.pick(all), "name");
  if (chance.happens(0.1)) chance.pick(all).type = "strnig";
  const key = required && "name" in required ? required.name : undefined;
  return { fields: all, ...(key !== undefined && { primaryKey: chance.happens(0.5) ? key : [key] }) };
}

const head = ({ chance }: Surroundings): Source => ({
  ...(chance.happens(0.4) && { title: "A table" }),
  ...(chance.happens(0.3) && { description: "What it holds." }),
  ...(chance.happens(0.3) && { homepage: "https://example.com/table" }),
  ...(chance.happens(0.4) && { version: chance.pick(["1.2.3", "v2.0.0", "latest"]) }),
});

function tableSchema(s: Surroundings): Source {
  const broken = s.chance.happens(0.05);
  return { name: newKey(s), ...head(s), ...(broken ? { fields: "none" } : schemaOf(s.chance)) };
}

function dataPackage(s: Surroundings): Source {
  const { chance } = s;
  const resources = ["first", "second"].slice(chance.below(2)).map((name) => ({
    name,
    ...(chance.happens(0.3) && { title: `The ${name}` }),
    schema: schemaOf(chance),
  }));
  return { name: newKey(s), ...head(s), resources };
}

function unknownSource({ chance }: Surroundings): Source {
  return chance.pick<Source>([{}, { name: "x" }, { $schema: "urn:metaction:model:9", key: "x" }, { tables: [] }]);
}
