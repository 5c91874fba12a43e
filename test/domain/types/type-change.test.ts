import { describe, expect, test } from "vitest";
import { findLogicalTypeOfText } from "../../../shared/domain/types/find-logical-type.ts";
import { holdsEveryValueOf } from "../../../shared/domain/types/logical/holding.ts";
import type { LogicalType } from "../../../shared/domain/types/logical/logical-type.ts";
import { assessTypeChange, describeTypeChange, LACK_RULES } from "../../../shared/domain/types/logical/type-change.ts";

const find = (text: string, dialect: string): LogicalType => {
  const type = findLogicalTypeOfText(text, dialect);
  if (!type) throw new Error(`no type ${text}`);
  return type;
};

type Answer = readonly [answer: "yes" | "no" | "unknown", ...reasons: string[]];

/** A dialect, the wide and the narrow type, and the answers in both directions. */
const PAIRS: readonly (readonly [dialect: string, wide: string, narrow: string, there: Answer, back: Answer])[] = [
  ["postgresql", "bigint", "integer", ["yes"], ["no", "at most 2147483647 instead of 9223372036854775807"]],
  ["postgresql", "numeric(10,0)", "integer", ["yes"], ["no", "at most 2147483647 instead of 9999999999"]],
  ["postgresql", "integer", "numeric(9,0)", ["yes"], ["no", "at most 999999999 instead of 2147483647"]],
  [
    "postgresql",
    "numeric",
    "numeric(12,2)",
    ["yes"],
    ["no", "at most 9999999999", "2 digits after the point instead of any number"],
  ],
  [
    "postgresql",
    "numeric(12,2)",
    "numeric(4,0)",
    ["yes"],
    ["no", "4 digits before the point instead of 10", "0 digits after the point instead of 2"],
  ],
  [
    "postgresql",
    "numeric(12,4)",
    "numeric(12,2)",
    ["no", "8 digits before the point instead of 10"],
    ["no", "2 digits after the point instead of 4"],
  ],
  ["postgresql", "double precision", "integer", ["yes"], ["no", "whole numbers only"]],
  [
    "postgresql",
    "double precision",
    "bigint",
    ["no", "exact up to 9007199254740992 only"],
    ["no", "whole numbers only"],
  ],
  ["postgresql", "double precision", "real", ["yes"], ["no", "32 bits instead of 64"]],
  [
    "postgresql",
    "double precision",
    "numeric(5,2)",
    ["no", "decimal fractions are rounded to binary ones"],
    ["no", "at most 5 digits"],
  ],
  [
    "postgresql",
    "numeric",
    "real",
    ["unknown", "a decimal number may round a binary one"],
    ["no", "exact up to 16777216 only"],
  ],
  ["postgresql", "text", "varchar(9)", ["yes"], ["no", "at most 9 characters"]],
  ["postgresql", "varchar(9)", "char(4)", ["yes"], ["no", "at most 4 characters instead of 9"]],
  ["postgresql", "char(4)", "char(4)", ["yes"], ["yes"]],
  ["postgresql", "varchar(4)", "char(4)", ["yes"], ["no", "shorter values are padded with spaces"]],
  ["postgresql", "text", "uuid", ["yes"], ["no", "values of another kind"]],
  [
    "postgresql",
    "varchar(20)",
    "uuid",
    ["no", "at most 20 characters instead of 36"],
    ["no", "values of another kind"],
  ],
  ["postgresql", "text", "integer", ["no", "values of another kind"], ["no", "values of another kind"]],
  [
    "postgresql",
    "citext",
    "text",
    ["no", "comparisons ignore the case of letters"],
    ["no", "comparisons respect the case of letters"],
  ],
  ["postgresql", "timestamp", "date", ["yes"], ["no", "values of another kind"]],
  [
    "postgresql",
    "timestamptz",
    "date",
    ["no", "the instant of a date depends on the time zone"],
    ["no", "values of another kind"],
  ],
  [
    "postgresql",
    "timestamptz",
    "timestamp",
    ["no", "an instant instead of a local time"],
    ["no", "a local time instead of an instant"],
  ],
  ["postgresql", "time(3)", "time(1)", ["yes"], ["no", "1 digit of a second instead of 3"]],
  ["postgresql", "bit varying", "bit(8)", ["yes"], ["no", "exactly 8 bits instead of any number"]],
  ["postgresql", "bit(8)", "bit(9)", ["no", "exactly 8 bits instead of 9"], ["no", "exactly 9 bits instead of 8"]],
  ["postgresql", "varbit(5)", "varbit(4)", ["yes"], ["no", "at most 4 bits"]],
  [
    "postgresql",
    "json",
    "jsonb",
    ["no", "order and repetitions of members are kept"],
    ["no", "order and repetitions of members are not kept"],
  ],
  ["postgresql", "inet", "cidr", ["yes"], ["no", "cidr instead of any network"]],
  ["postgresql", "interval", "interval day", ["yes"], ["no", "seconds instead of months and seconds"]],
  ["postgresql", "bigint[]", "integer[]", ["yes"], ["no", "items: at most 2147483647 instead of 9223372036854775807"]],
  [
    "mysql",
    "int unsigned",
    "int",
    ["no", "negative numbers are not possible"],
    ["no", "at most 2147483647 instead of 4294967295"],
  ],
  ["mysql", "text", "varchar(255)", ["yes"], ["no", "at most 255 characters instead of 65535"]],
  [
    "mysql",
    "text",
    "varchar(20000)",
    ["no", "at most 65535 bytes instead of 80000"],
    ["no", "at most 20000 characters instead of 65535"],
  ],
  ["mysql", "varbinary(9)", "binary(9)", ["yes"], ["no", "shorter values are padded"]],
  ["mysql", "blob", "tinyblob", ["yes"], ["no", "at most 255 bytes"]],
  ["mysql", "enum('a','b')", "enum('a')", ["yes"], ["no", "without 'b'"]],
  ["mysql", "varchar(1)", "enum('a','b')", ["yes"], ["no", "values of another kind"]],
  ["tsql", "nvarchar(9)", "varchar(9)", ["yes"], ["no", "characters outside of the code page are lost"]],
  ["oracle", "varchar2(20 char)", "varchar2(20)", ["yes"], ["no", "at most 20 bytes instead of 80"]],
  [
    "databricks",
    "struct<a:bigint,b:int>",
    "struct<a:int>",
    ["yes"],
    ["no", "field a: at most 2147483647 instead of 9223372036854775807", "without the field b"],
  ],
  [
    "databricks",
    "map<string,bigint>",
    "map<string,int>",
    ["yes"],
    ["no", "values: at most 2147483647 instead of 9223372036854775807"],
  ],
  [
    "common",
    "timestamp",
    "timestamptz",
    ["unknown", "the time zone of one of them is not known"],
    ["unknown", "the time zone of one of them is not known"],
  ],
  ["common", "timestamp", "date", ["unknown", "the time zone is not known"], ["no", "values of another kind"]],
  ["common", "array", "int[]", ["yes"], ["unknown", "the type of the items is not known"]],
  ["common", "struct", "struct<a:int>", ["yes"], ["unknown", "the fields are not known"]],
  ["common", "float", "real", ["yes"], ["unknown", "the size of the other number is not known"]],
  ["common", "any", "xml", ["yes"], ["no", "values of another kind"]],
];

test.each(PAIRS)("in %s, whether %s holds every value of %s, and the reverse", (dialect, wide, narrow, there, back) => {
  const answer = (a: string, b: string) => {
    const { answer, lacks } = holdsEveryValueOf(find(a, dialect), find(b, dialect));
    return [answer, ...lacks.map(({ reason }) => reason)];
  };
  expect([answer(wide, narrow), answer(narrow, wide)]).toEqual([there, back]);
});

const TYPES = [...new Set(PAIRS.flatMap(([dialect, a, b]) => [`${dialect} ${a}`, `${dialect} ${b}`]))].map((name) =>
  find(name.slice(name.indexOf(" ") + 1), name.slice(0, name.indexOf(" "))),
);
const holds = (a: LogicalType, b: LogicalType) => holdsEveryValueOf(a, b).answer;

test("each type holds its own values, and the order is transitive", () => {
  const held = new Map(TYPES.map((wide) => [wide, TYPES.filter((narrow) => holds(wide, narrow) === "yes")]));
  const broken = TYPES.flatMap((a) =>
    (held.get(a) ?? []).flatMap((b) => (held.get(b) ?? []).filter((c) => holds(a, c) !== "yes").map((c) => [a, b, c])),
  );
  expect(broken).toEqual([]);
  expect(TYPES.filter((one) => !held.get(one)?.includes(one))).toEqual([]);
});

describe("verdicts", () => {
  test.each([
    ["postgresql", "integer", "integer", "none", "safe", "safe"],
    ["postgresql", "integer", "bigint", "additive", "risk", "safe"],
    ["postgresql", "bigint", "integer", "breaking", "safe", "breaks"],
    ["postgresql", "numeric(12,2)", "numeric(4,0)", "breaking", "breaks", "breaks"],
    ["postgresql", "numeric(12,2)", "numeric(12,4)", "breaking", "risk", "breaks"],
    ["postgresql", "integer", "numeric(12,2)", "breaking", "breaks", "safe"],
    ["postgresql", "date", "timestamp", "breaking", "breaks", "safe"],
    ["postgresql", "timestamp", "timestamptz", "breaking", "breaks", "breaks"],
    ["postgresql", "timestamp(6)", "timestamp(3)", "behavioural", "risk", "risk"],
    ["postgresql", "timestamp(3)", "timestamp(6)", "additive", "risk", "safe"],
    ["postgresql", "varchar(4)", "char(4)", "behavioural", "risk", "risk"],
    ["postgresql", "char(4)", "varchar(4)", "additive", "risk", "safe"],
    ["postgresql", "text", "citext", "behavioural", "risk", "risk"],
    ["postgresql", "json", "jsonb", "behavioural", "risk", "safe"],
    ["postgresql", "text", "uuid", "breaking", "risk", "breaks"],
    ["postgresql", "uuid", "text", "breaking", "breaks", "safe"],
    ["mysql", "int", "int unsigned", "breaking", "risk", "breaks"],
    ["common", "any", "string", "breaking", "safe", "breaks"],
    ["common", "string", "any", "breaking", "breaks", "safe"],
    ["common", "timestamp", "timestamptz", "breaking", "breaks", "breaks"],
  ])("in %s, the change of %s to %s is %s: %s for readers, %s for writers", (dialect, a, b, ...expected) => {
    const { class: change, readers, writers } = assessTypeChange(find(a, dialect), find(b, dialect));
    expect([change, readers.verdict, writers.verdict]).toEqual(expected);
  });

  test("say that writers are safe only where every old value is kept, and none only where both hold the same", () => {
    for (const before of TYPES) {
      for (const after of TYPES) {
        const { class: change, writers } = assessTypeChange(before, after);
        const lost = holdsEveryValueOf(after, before).lacks.map(({ name }) => name);
        expect([before, after, writers.verdict === "safe"]).toEqual([
          before,
          after,
          lost.every((name) => name === "text"),
        ]);
        if (change === "none") expect([holds(after, before), holds(before, after)]).toEqual(["yes", "yes"]);
      }
    }
  });

  test("name what changed, from both sides", () => {
    const change = assessTypeChange(find("numeric(12,2)", "postgresql"), find("numeric(10,4)", "postgresql"));
    expect(describeTypeChange(change)).toBe(
      "6 digits before the point instead of 10; more digits after the point are possible",
    );
    expect(assessTypeChange(undefined, { type: "date" })).toMatchObject({
      class: "breaking",
      readers: { verdict: "breaks" },
      writers: { verdict: "breaks", reasons: ["cannot tell whether all values stay possible"] },
    });
    for (const [name, rule] of Object.entries(LACK_RULES))
      expect([name, rule.gain === ""]).toEqual([name, name === "unknown"]);
  });
});
