import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createJobStore } from "../../shared/store/jobs/job-store.ts";
import { IDENTITY, publicKeyKey } from "../../shared/store/table/keys.ts";
import type { Table } from "../../shared/store/table/table.ts";
import { realRuntime } from "../support/runtime.ts";
import { freshTable } from "../support/table.ts";
import { type Statement, statements, synthesize } from "./support/synthesize.ts";

const template = synthesize();
const dispatcher = statements(template, "DispatcherRole");
const worker = statements(template, "WorkerRole");
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
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith(`${service}:`))
    .sort();

test("the dispatcher and the worker have exactly the permissions on the table that the store uses", () => {
  const sent = new Set(readFileSync("shared/store/table/dynamo.ts", "utf8").match(/(?<=new )\w+Command(?=\()/g));
  expect([...sent].filter((command) => !(command in NEEDS))).toEqual([]);
  const needed = new Set([...sent].flatMap((command) => NEEDS[command] ?? []));
  expect(actionsOf(dispatcher, "dynamodb")).toEqual([...needed].sort());
  expect(actionsOf(worker, "dynamodb")).toEqual([...needed].sort());
});

test("the dispatcher may sign with the one key and read the one secret", () => {
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

test.each([
  ["dispatcher", dispatcher],
  ["sweeper", sweeper],
])("the %s may invoke the worker, and no other function", (_, granted) => {
  expect(granted.filter(({ Action }) => JSON.stringify(Action).includes("lambda:"))).toEqual([
    {
      Effect: "Allow",
      Action: "lambda:InvokeFunction",
      Resource: { "Fn::GetAtt": [expect.stringMatching(/^Worker[0-9A-F]{8}$/), "Arn"] },
    },
  ]);
});

test("the worker may use neither keys nor secrets, and invoke nothing", () => {
  const services = new Set(worker.flatMap(({ Action }) => Action).map((action) => action.split(":")[0]));
  expect([...services].sort()).toEqual(["dynamodb", "logs"]);
});

test("the sweeper has exactly the permissions on the table that it uses, and none on keys and secrets", async () => {
  const source = readFileSync("shared/store/sweep/sweep.ts", "utf8");
  const sent = new Set(source.match(/(?<=table\.)\w+(?=\()|deleteAll(?=\()|check(?=:)/g));
  for (const call of await callsOfWaiting()) sent.add(call);
  const needs: Readonly<Record<string, readonly string[]>> = {
    query: ["dynamodb:Query"],
    write: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
    transactWrite: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
    deleteAll: ["dynamodb:BatchWriteItem"],
    get: ["dynamodb:GetItem"],
  };
  expect([...sent].filter((call) => !(call in needs))).toEqual([]);
  const needed = new Set([...sent].flatMap((call) => needs[call] ?? []));
  expect(actionsOf(sweeper, "dynamodb")).toEqual([...needed].sort());
  expect([...actionsOf(sweeper, "kms"), ...actionsOf(sweeper, "secretsmanager")]).toEqual([]);
});

async function callsOfWaiting(): Promise<ReadonlySet<string>> {
  const opened = await freshTable();
  const calls = new Set<string>();
  const counted = Object.entries(opened).map(([name, send]) => [
    name,
    (...asked: unknown[]) => {
      calls.add(name);
      return send(...asked);
    },
  ]);
  const table = Object.fromEntries(counted) as Table;
  expect(await createJobStore(table, realRuntime, async () => undefined).listWaiting()).toEqual([]);
  expect(calls.size).toBeGreaterThan(0);
  return calls;
}

test("worker and sweeper may not write public keys, and nothing is forbidden to the dispatcher", () => {
  const denied = {
    Effect: "Deny",
    Action: ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem"],
    Resource: { "Fn::GetAtt": [expect.stringMatching(/^Table/), "Arn"] },
    Condition: { "ForAnyValue:StringEquals": { "dynamodb:LeadingKeys": [publicKeyKey("k").pk] } },
  };
  const denials = [dispatcher, worker, sweeper].map((granted) => granted.filter(({ Effect }) => Effect !== "Allow"));
  expect(denials).toEqual([[], [denied], [denied]]);
  expect(publicKeyKey("k").pk).not.toBe(IDENTITY);
});

test.each([
  ["dispatcher", dispatcher],
  ["worker", worker],
  ["sweeper", sweeper],
])("the role of the %s has one resource of the stack in every statement, and no wildcard in actions", (_, granted) => {
  expect(granted.length).toBeGreaterThan(0);
  for (const { Action, Resource } of granted) {
    expect(JSON.stringify(Resource)).toMatch(/^\{"(Ref|Fn::GetAtt)":/);
    expect(JSON.stringify([Action, Resource])).not.toContain("*");
  }
});

test("no role has a managed policy", () => {
  const roles = Object.values(template.findResources("AWS::IAM::Role"));
  expect(roles).toHaveLength(3);
  expect(roles.filter(({ Properties }) => "ManagedPolicyArns" in Properties)).toEqual([]);
});
