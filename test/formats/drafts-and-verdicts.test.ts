import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import { readContent } from "./reading.ts";

const PAIRS = countOfRun("METACTION_DRAFTS", 150);

const TYPES = [
  ...["smallint", "integer", "bigint", "real", "double precision", "numeric(10,2)", "numeric(12,2)", "numeric(12,4)"],
  ...["numeric(4,0)", "numeric(9,0)", "numeric", "varchar(10)", "varchar(40)", "text", "char(4)", "date", "timestamp"],
  ...["timestamp(3)", "timestamptz", "timestamptz(3)", "time", "boolean", "uuid", "json", "jsonb", "bytea", "bit(8)"],
  ...["bit(16)", "varbit(8)", "integer[]", "inet", "interval"],
];
const NUMBERS = /^(small|big)?int|^numeric|^real|^double/;

function makeColumn(chance: Chance, name: string): string {
  const type = chance.pick(TYPES);
  const isNumber = NUMBERS.test(type) && !type.includes("[");
  const parts = [
    chance.happens(0.3) && "NOT NULL",
    chance.happens(0.2) && isNumber && `DEFAULT ${chance.below(3)}`,
    chance.happens(0.2) && isNumber && `CHECK (${name} > ${chance.below(5)})`,
    chance.happens(0.15) && type !== "json" && "UNIQUE",
    chance.happens(0.15) && type === "integer" && `REFERENCES p (id)${chance.happens(0.5) ? " ON DELETE CASCADE" : ""}`,
  ];
  return [name, type, ...parts.filter((part) => part !== false)].join(" ");
}

const makeText = (columns: readonly string[]) =>
  `CREATE TABLE p (id integer PRIMARY KEY); CREATE TABLE t (${["id integer PRIMARY KEY", ...columns].join(", ")});`;

/** Reasons that stored values may have too. */
const REFUSAL = /fewer values|duplicates are refused|refer to nothing|omit it will fail|at most/;

test(`the drafts of ${PAIRS} random migrations and the verdicts on them do not contradict each other`, async () => {
  const seed = seedOf("drafts and verdicts");
  const chance = createChance(seed);
  const exporter = createExporter();
  const read = async (content: string) =>
    (await readContent(content, { format: "postgresql", modelKey: "m" })).document;
  const contradictions: string[] = [];
  let held = 0;
  for (let i = 0; i < PAIRS; i++) {
    const before = ["x", "y"].slice(0, 1 + chance.below(2)).map((name) => makeColumn(chance, name));
    // Mostly one column changes.
    const after = before.map((column, at) =>
      at === 0 || chance.happens(0.3) ? makeColumn(chance, column.slice(0, 1)) : column,
    );
    const [left, right] = [await read(makeText(before)), await read(makeText(after))];
    const differences = compareModels(left, right, { sameModel: false, scope: "complete" });
    const { content, warnings } = await exporter.writeDifference(
      { left, right, differences, names: ["a", "b"] },
      "postgresql",
    );
    const isHeld = /^-- (ALTER|CREATE|DROP|UPDATE) /m.test(content);
    held += isHeld ? 1 : 0;
    const refused = differences.flatMap(({ writers }) => (writers.verdict === "breaks" ? writers.reasons : []));
    const isHarmless = differences.every(({ impact }) => impact !== "breaking" && impact !== "behavioural");
    // A step that may fail on stored rows, or change them, concerns programs too. What writers may no longer write may be
    // stored already, unless the file cannot say it.
    const isRefusal = refused.some((reason) => REFUSAL.test(reason));
    if ((isHeld && isHarmless) || (isRefusal && !isHeld && warnings.length === 0)) {
      contradictions.push(`${before.join(", ")} -> ${after.join(", ")}: ${refused.join("; ")}\n${content}`);
    }
  }
  expect(contradictions, `seed ${seed}`).toEqual([]);
  expect(held).toBeGreaterThan(PAIRS / 4);
}, 600_000);
