import type {
  AttributeDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "../../../shared/domain/document/document.ts";
import { documentOf } from "../../diagram/support/diagram-parts.ts";
import { INJECTIONS } from "./injections.ts";

/** The number of texts, and of objects of each kind that carry them. */
export const TEXTS = INJECTIONS.length;

/** The text of a place; `shift` makes others of the same place differ. */
export const injection = (at: number, shift = 0): string => INJECTIONS[(at + shift) % TEXTS] ?? "";

/** The same as names have it: on one line, as long as they may be. */
export const oneLine = (at: number, shift = 0): string =>
  injection(at, shift).replace(/\s+/g, " ").trim().slice(0, 200);

/** The same as far as keys take its characters, with its place, which makes it the only one. */
export const keyOf = (at: number): string =>
  `${oneLine(at)
    .replace(/[^ !#-&(-[\]-_a-~]/g, "")
    .trim()
    .slice(0, 100)} ${at}`.trim();

const places = Array.from({ length: TEXTS }, (_, at) => at);

const about = (at: number) => ({
  name: oneLine(at),
  description: injection(at, 1),
  // One word, of any scheme.
  origin: `javascript:${oneLine(at, 2).replaceAll(" ", "")}`,
  properties: {
    [`acme:${keyOf(at)}`.slice(0, 128)]: injection(at, 3),
    "acme:nested": { [`of ${injection(at, 4)}`]: [injection(at, 5)] },
  },
});

const attribute = (at: number, id: string): AttributeDocument => ({
  id,
  key: keyOf(at),
  ...about(at),
  type: `key:${keyOf(at)}`,
  optional: at % 2 === 0,
  tags: [`key:tag_${at}`],
  constraints: {
    default: injection(at, 6),
    enum: [injection(at, 7)],
    examples: [injection(at, 8)],
    format: oneLine(at, 9),
    unit: oneLine(at, 10).slice(0, 64),
  },
});

/** The entity that has an attribute for each text. */
export const WIDE = "wide";

const wide: EntityDocument = {
  id: "wide",
  key: WIDE,
  primaryKey: [`key:${keyOf(0)}`],
  attributes: places.map((at) => attribute(at, `wide-${at}`)),
};

const entity = (at: number): EntityDocument => ({
  id: `entity-${at}`,
  key: keyOf(at),
  ...about(at),
  documentationHome: `https://example.com/#${oneLine(at)}`,
  tags: [`key:tag_${at}`],
  attributes: [attribute(at, `attribute-${at}`)],
  primaryKey: [`key:${keyOf(at)}`],
});

const relationship = (at: number): RelationshipDocument => ({
  id: `relationship-${at}`,
  key: keyOf(at),
  ...about(at),
  tags: [`key:tag_${at}`],
  roles: [
    { id: `a-${at}`, key: keyOf(at), name: oneLine(at, 11), entity: `key:${keyOf(at)}`, cardinality: "one" },
    { id: `b-${at}`, key: `other ${at}`, name: oneLine(at, 12), entity: `key:${WIDE}`, cardinality: "many" },
  ],
  keyPairs: [[`key:${keyOf(at)}`, `key:${keyOf(at)}`]],
  attributes: [attribute(at, `joined-${at}`)],
});

/** A model in which every text of every kind of object is one that would be a script: object n of a kind carries text n. */
export const injectedModel = (key: string, name: string): ModelDocument =>
  documentOf(key, {
    ...about(0),
    name,
    documentationHome: `https://example.com/?${oneLine(12)}`,
    types: places.map((at) => ({ id: `type-${at}`, key: keyOf(at), ...about(at) })),
    entities: [wide, ...places.map(entity)],
    relationships: places.map(relationship),
    businessKeys: places.map((at) => ({
      id: `business-${at}`,
      key: keyOf(at),
      ...about(at),
      entity: `key:${keyOf(at)}`,
      participants: [`key:${keyOf(at)}`],
    })),
    localTags: places.map((at) => ({ id: `tag-${at}`, key: `tag_${at}`, ...about(at) })),
  });
