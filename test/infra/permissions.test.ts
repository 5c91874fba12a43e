import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Statement, statements, synthesize } from "./support/synthesize.ts";

const template = synthesize();
const dispatcher = statements(template, "DispatcherRole");
const sweeper = statements(template, "SweeperRole");

/** The permission each command of the SDK needs; a transaction needs those of its parts. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  BatchGetCommand: ["dynamodb:BatchGetItem"],
  BatchWriteCommand: ["dynamodb:BatchWriteItem"],
  DeleteCommand: ["dynamodb:DeleteItem"],
  GetCommand: ["dynamodb:GetItem"],
  PutCommand: ["dynamodb:PutItem"],
  QueryCommand: ["dynamodb:Query"],
  TransactGetCommand: ["dynamodb:GetItem"],
  TransactWriteCommand: ["dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"],
};

const actionsOf = (granted: readonly Statement[], service: string): string[] =>
  granted
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith(`${service}:`))
    .sort();

test("The dispatcher may do to the table exactly what the store sends", () => {
  const source = readFileSync("shared/store/dynamo.ts", "utf8");
  const sent = new Set(source.match(/(?<=new )\w+Command(?=\()/g));
  expect([...sent].filter((command) => !(command in NEEDS))).toEqual([]);
  const needed = new Set([...sent].flatMap((command) => NEEDS[command] ?? []));
  expect(actionsOf(dispatcher, "dynamodb")).toEqual([...needed].sort());
});

test("The dispatcher may sign with the one key and read the one secret", () => {
  expect(dispatcher).toContainEqual({
    Effect: "Allow",
    Action: ["kms:GetPublicKey", "kms:Sign"],
    Resource: { "Fn::GetAtt": [expect.stringMatching(/^SigningKey/), "Arn"] },
  });
  expect(dispatcher).toContainEqual({
    Effect: "Allow",
    Action: "secretsmanager:GetSecretValue",
    Resource: { Ref: expect.stringMatching(/^BootstrapSecret/) },
  });
});

test("The sweeper may do to the table exactly what sweeping sends, and nothing with keys and secrets", () => {
  const source = readFileSync("shared/store/sweep.ts", "utf8");
  const sent = new Set(source.match(/(?<=seam\.)\w+(?=\()|deleteAll(?=\()|check(?=:)/g));
  const needs: Readonly<Record<string, readonly string[]>> = {
    query: ["dynamodb:Query"],
    write: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
    transactWrite: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
    deleteAll: ["dynamodb:BatchWriteItem"],
  };
  expect([...sent].filter((call) => !(call in needs))).toEqual([]);
  const needed = new Set([...sent].flatMap((call) => needs[call] ?? []));
  expect(actionsOf(sweeper, "dynamodb")).toEqual([...needed].sort());
  expect([...actionsOf(sweeper, "kms"), ...actionsOf(sweeper, "secretsmanager")]).toEqual([]);
});

describe.each([
  ["dispatcher", dispatcher],
  ["sweeper", sweeper],
])("The role of the %s", (_, granted) => {
  test("names one resource of the stack in every statement, and no action by a pattern", () => {
    expect(granted.length).toBeGreaterThan(0);
    for (const { Effect, Action, Resource } of granted) {
      expect(Effect).toBe("Allow");
      expect(JSON.stringify(Resource)).toMatch(/^\{"(Ref|Fn::GetAtt)":/);
      expect(JSON.stringify([Action, Resource])).not.toContain("*");
    }
  });

  test("can neither scan nor administer the table", () => {
    expect(
      actionsOf(granted, "dynamodb").filter((action) => /Scan|Table|PartiQL|Backup|Stream|Export/.test(action)),
    ).toEqual([]);
  });

  test("has no policy of AWS attached", () => {
    const roles = Object.values(template.findResources("AWS::IAM::Role"));
    expect(roles).toHaveLength(2);
    expect(roles.filter(({ Properties }) => "ManagedPolicyArns" in Properties)).toEqual([]);
  });
});
