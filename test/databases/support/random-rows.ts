import { findSchemas } from "../../../shared/formats/common/writing/written-names.ts";
import type { Chance } from "../../support/chance.ts";
import type { OpenEntity, OpenModel } from "./random-models.ts";

type Attribute = OpenEntity["attributes"][number];

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function tableOf(key: string, { entities, types }: OpenModel): string {
  const used = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => type)));
  const enums = types.filter((type) => /\benum /.test(type.key) && used.has(`key:${type.key}`));
  const isPlaced = findSchemas([...entities, ...enums].map((one) => one.key)) !== undefined;
  const dot = key.indexOf(".");
  return isPlaced ? `${quoted(key.slice(0, dot))}.${quoted(key.slice(dot + 1))}` : quoted(key);
}

/** Statements that insert rows of a drawn model; the database leaves out those that a constraint refuses. */
export function drawnRows(chance: Chance, model: OpenModel): string {
  const statements: string[] = [];
  for (const entity of inOrder(model)) {
    for (let i = 2 + chance.below(4); i > 0; i--) statements.push(rowOf(chance, model, entity));
  }
  return statements
    .map((one) => `DO $row$ BEGIN ${one} EXCEPTION WHEN integrity_constraint_violation THEN NULL; END $row$;`)
    .join("\n");
}

/** Entities before those that refer to them, as far as they do not go round in a circle. */
function inOrder({ entities, relationships }: OpenModel): readonly OpenEntity[] {
  const referring = new Set(relationships.map(({ roles }) => roles[0]?.entity));
  return [
    ...entities.filter(({ key }) => !referring.has(`key:${key}`)),
    ...entities.filter(({ key }) => referring.has(`key:${key}`)),
  ];
}

function rowOf(chance: Chance, model: OpenModel, entity: OpenEntity): string {
  const values = new Map<string, string>();
  for (const { roles, keyPairs } of model.relationships) {
    const [from, to] = roles;
    if (from?.entity !== `key:${entity.key}` || !to || chance.happens(0.3)) continue;
    const place = chance.below(3);
    for (const [own, referred] of keyPairs) {
      const column = quoted(referred.slice("key:".length));
      const row = `from ${tableOf(to.entity.slice("key:".length), model)} order by ctid offset ${place} limit 1`;
      values.set(own, `(select ${column} ${row})`);
    }
  }
  const columns = entity.attributes.filter(({ type }) => !/serial$/.test(type));
  if (columns.length === 0) return `INSERT INTO ${tableOf(entity.key, model)} DEFAULT VALUES;`;
  const names = columns.map(({ key }) => quoted(key)).join(", ");
  const row = columns.map((one) => values.get(`key:${one.key}`) ?? drawnValue(chance, one)).join(", ");
  return `INSERT INTO ${tableOf(entity.key, model)} (${names}) VALUES (${row});`;
}

function drawnValue(chance: Chance, { type, optional, constraints = {} }: Attribute): string {
  if (optional && chance.happens(0.25)) return "NULL";
  if (constraints.default !== undefined && chance.happens(0.2)) return "DEFAULT";
  if (Array.isArray(constraints.enum)) return text(String(chance.pick(constraints.enum)));
  const name = type.slice("key:".length);
  const bound = (keyword: string, otherwise: number) =>
    typeof constraints[keyword] === "number" ? constraints[keyword] : otherwise;
  if (/int$|integer|numeric/.test(name)) {
    const [least, most, step] = [bound("minimum", -40), bound("maximum", 99), bound("multipleOf", 1)];
    return String((Math.ceil(least / step) + chance.below(Math.floor((most - least) / step))) * step);
  }
  if (/real|double/.test(name)) return String(bound("exclusiveMinimum", -9) + 0.5 + chance.below(50) / 4);
  if (/text|char/.test(name)) {
    const words = ["b", "it's", "é x", "", "two\nlines", "w".repeat(bound("maxLength", 30)), "\\", " c"];
    const least = bound("minLength", 0);
    return text(chance.pick(words.filter((word) => word.length >= least && word.length <= bound("maxLength", 30))));
  }
  const value = {
    date: `2020-0${1 + chance.below(9)}-11`,
    timestamp: `2020-01-02 03:0${chance.below(9)}:04.5`,
    timestamptz: `2020-01-02 03:0${chance.below(9)}:04+02`,
    boolean: String(chance.happens(0.5)),
    uuid: `00000000-0000-0000-0000-00000000000${chance.below(9)}`,
    jsonb: `{"a": [${chance.below(9)}, "'"]}`,
    interval: `${chance.below(9)} days`,
  }[name];
  if (value === undefined) throw new Error(`no values of the type ${name}`);
  return text(value);
}
