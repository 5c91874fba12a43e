import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { EntityDocument, ModelDocument } from "../../shared/domain/document/document.ts";
import { parseYaml } from "../../shared/formats/common/source-text.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import {
  type PartMembers,
  PROFILE_MEMBERS,
  STAND_ALONE_MEMBERS,
} from "../../shared/formats/frictionless/profile-members.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const FOLDERS = ["frictionless", "versions"];

type Json = Readonly<Record<string, unknown>>;

/** A real descriptor, its schema files in their place, with the model it became and the descriptor that became of that. */
interface Trip {
  readonly source: Json;
  readonly document: ModelDocument;
  readonly back: Json;
}

const trips = new Map<string, Trip>();
/** The paths of schema files that packages name, which are read as parts of them as well. */
const named = new Set<string>();

beforeAll(async () => {
  for (const folder of FOLDERS) if (!existsSync(join(FOLDER, folder))) throw new Error(`no real files in ${folder}`);
  const [importer, exporter] = [createImporter({ allowPrivate: false }), createExporter()];
  for (const folder of FOLDERS) {
    for (const entry of await readdir(join(FOLDER, folder), { recursive: true })) {
      if (!entry.endsWith(".json") || entry.endsWith("changes.json")) continue;
      const path = join(folder, entry);
      const source = await whole(path);
      const { document } = await importer.read({ content: source }, {});
      const { content } = await exporter.write(document, "frictionless");
      trips.set(path, { source, document, back: JSON.parse(content) });
    }
  }
});

async function whole(path: string): Promise<Json> {
  const source = JSON.parse(await readFile(join(FOLDER, path), "utf8"));
  if (source.fields || !source.resources) return source;
  for (const resource of source.resources) {
    if (typeof resource.schema !== "string") continue;
    const file = join(dirname(path), resource.schema);
    named.add(file);
    resource.schema = JSON.parse(await readFile(join(FOLDER, file), "utf8"));
  }
  return source;
}

/** One leaf of a descriptor. */
interface Fact {
  /** The part of the descriptor and its member; members the standard does not know are of one kind in each part. */
  readonly kind: string;
  readonly isKnown: boolean;
  readonly value: unknown;
  readonly pointer: readonly string[];
  /** The object of the document that has to tell it. */
  readonly told: unknown;
}

/** Leaves of a value with the way to each; a list or object without members is one. */
function* leavesOf(value: unknown, way: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (inner.length === 0) yield [way, value];
  for (const [name, one] of inner) yield* leavesOf(one, [...way, name]);
}

function* factsOf({ source, document }: Trip): Generator<Fact> {
  const beside = (entity: EntityDocument | undefined) => ({ ...entity, attributes: [] });
  const around = { ...document, entities: document.entities.map(beside) };
  function* partOf(
    part: string,
    members: PartMembers,
    value: Json,
    at: readonly string[],
    told: unknown,
  ): Generator<Fact> {
    for (const [member, one] of Object.entries(value)) {
      const isKnown = Object.hasOwn(members, member);
      for (const [way, leaf] of leavesOf(one)) {
        const [first] = way;
        const keyword = member === "constraints" && first !== undefined ? `.${first}` : "";
        const kind = `${part} ${isKnown ? member + keyword : "custom"}`;
        yield { kind, isKnown, value: leaf, pointer: [...at, member, ...way], told };
      }
    }
  }
  function* tableOf(
    schema: Json,
    entity: EntityDocument | undefined,
    members: PartMembers,
    at: readonly string[],
    part: string,
  ) {
    const { fields, ...others } = schema;
    yield* partOf(part, members, others, at, around);
    for (const [i, field] of (fields as readonly Json[]).entries()) {
      yield* partOf("field", PROFILE_MEMBERS.field, field, [...at, "fields", String(i)], entity?.attributes[i]);
    }
  }
  if (source.fields) {
    yield* tableOf(source, document.entities[0], STAND_ALONE_MEMBERS, [], "schema");
    return;
  }
  const { resources, ...others } = source;
  yield* partOf("package", PROFILE_MEMBERS.package, others, [], around);
  for (const [i, resource] of (resources as readonly Json[]).entries()) {
    const { schema, ...beside } = resource;
    const at = ["resources", String(i)];
    const entity = document.entities.find((one) => one.properties?.["frictionless:path"] === resource.path);
    yield* partOf("resource", PROFILE_MEMBERS.resource, beside, at, around);
    yield* tableOf(schema as Json, entity, PROFILE_MEMBERS.schema, [...at, "schema"], "schema");
  }
}

/** True where an object of a document holds a value, plainly or as a ref; `required` is told by `optional`. */
function isTold({ kind, value, told }: Fact): boolean {
  if (kind === "field constraints.required") return Reflect.get(Object(told), "optional") === !value;
  if (isDefault({ kind, value })) return !JSON.stringify(told).includes('"format"');
  const texts = new Set([...leavesOf(told)].map(([, leaf]) => textOf(leaf)));
  return texts.has(textOf(value)) || (Array.isArray(value) && value.length === 0);
}

function textOf(leaf: unknown): string {
  return JSON.stringify(leaf).replace(/^"key:/, '"');
}

/** A descriptor without the order of its members and lists of names, and without defaults. */
function normal(value: unknown, member = ""): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => normal(one));
    return ["keywords", "resources"].includes(member) ? list.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)) : list;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const isDefault =
      (name === "format" && inner === "default") ||
      (member === "constraints" && name === "required" && inner === false);
    const plain = normal(inner, name);
    return isDefault || (name === "constraints" && order(plain) === "{}") ? [] : [[name, plain]];
  });
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const order = (value: unknown): string => JSON.stringify(value);

/** True for a fact that says no more than the standard does where it is left out. */
function isDefault({ kind, value }: Pick<Fact, "kind" | "value">): boolean {
  return (kind === "field constraints.required" && value === false) || (kind === "field format" && value === "default");
}

describe("every real Frictionless file", () => {
  test("exists", () => {
    expect(trips.size).toBeGreaterThanOrEqual(35);
    expect(named.size).toBeGreaterThan(0);
  });

  test("has each of its facts in the model and in the exported descriptor", () => {
    const kinds = new Map<string, { facts: number; told: number; back: number; isKnown: boolean; lost: string[] }>();
    for (const [path, trip] of trips) {
      const back = normal(trip.back);
      const lists = new Set(
        [...leavesOf(back)].map(([way, leaf]) => order([way.filter((step) => !/^\d+$/.test(step)), leaf])),
      );
      for (const fact of factsOf(trip)) {
        const row = kinds.get(fact.kind) ?? { facts: 0, told: 0, back: 0, isKnown: fact.isKnown, lost: [] };
        kinds.set(fact.kind, row);
        row.facts++;
        if (isTold(fact)) row.told++;
        else row.lost.push(`${path}#/${fact.pointer.join("/")} in the model`);
        // The list in which a value stands is sorted, so that its place there is another one; the next test compares exactly.
        const way = fact.pointer.filter((step) => !/^\d+$/.test(step));
        if (isDefault(fact) || lists.has(order([way, fact.value]))) row.back++;
        else row.lost.push(`${path}#/${fact.pointer.join("/")} in the descriptor`);
      }
    }
    const rows = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const sum = (of: "facts" | "told" | "back"): number => rows.reduce((all, [, row]) => all + row[of], 0);
    const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`.padStart(8);
    const line = (kind: string, facts: number, told: number, back: number): string =>
      `${kind.padEnd(34)}${String(facts).padStart(7)}${share(told, facts)}${share(back, facts)}`;
    console.log(
      [
        `${"kind of fact".padEnd(34)}  facts   model  export`,
        ...rows.map(([kind, { facts, told, back }]) => line(kind, facts, told, back)),
        line(`all of ${trips.size} files`, sum("facts"), sum("told"), sum("back")),
      ].join("\n"),
    );
    for (const [kind, { isKnown, lost }] of rows) if (isKnown) expect(lost, kind).toEqual([]);
    expect(sum("told") / sum("facts")).toBeGreaterThanOrEqual(0.95);
    expect(sum("back") / sum("facts")).toBeGreaterThanOrEqual(0.95);
    expect(sum("facts")).toBeGreaterThan(5_000);
  });

  test("is equal after import and export, except for order and defaults", () => {
    for (const [path, { source, back }] of trips) {
      const { name = undefined, ...rest } = normal(source) as Json;
      expect(normal(back), path).toEqual({ ...rest, ...(name !== undefined && { name }) });
    }
  });

  test("is equal in YAML", async () => {
    for (const [path, { source }] of trips) {
      const text = stringify(source, { aliasDuplicateObjects: false });
      expect(await parseYaml(text), path).toEqual({ value: source });
    }
  });
});
