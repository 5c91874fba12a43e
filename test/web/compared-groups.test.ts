import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { Difference } from "../../ui/parts/changed/difference-path.ts";
import { formatPath, getDifferenceId, getPathOn } from "../../ui/parts/changed/difference-path.ts";
import { filterGroups, type Group, groupDifferences } from "../../ui/screens/compare/groups.ts";
import { documentOf } from "../diagram/support/diagram-parts.ts";

const text = { id: "t1", key: "string" };
const attribute = (id: string, key: string) => ({ id, key, type: "key:string", optional: true });
const document = (parts: Partial<ModelDocument>) => documentOf("library", { types: [text], ...parts });

const loan = {
  id: "e1",
  key: "loan",
  name: "Loan",
  attributes: [attribute("a1", "member"), attribute("a2", "due")],
  primaryKey: [],
};
const member = { id: "e2", key: "member", attributes: [], primaryKey: [] };
const keyOfLoan = { id: "k1", key: "loan_key", entity: "key:loan", participants: ["key:due"] };
const before = document({ entities: [loan, member], businessKeys: [keyOfLoan] });
const after = document({
  entities: [
    { ...loan, key: "lending", attributes: [attribute("a1", "card"), attribute("a3", "fee")] },
    { ...member, name: "Member" },
  ],
  types: [text, { id: "t2", key: "money" }],
  businessKeys: [{ ...keyOfLoan, entity: "key:lending", participants: ["key:fee"] }],
});
const entries = compareModels(before, after, {
  sameModel: true,
  scope: "complete",
}) as unknown as readonly Difference[];
const groups = groupDifferences(entries);
const shown = ({ kind, key, rows }: Group) =>
  [`${kind} ${key}`, ...rows.map(({ difference }) => `${difference.status} ${formatPath(difference)}`)] as const;

test("a renamed entity is one group with all its parts, by its former key, and comes before types", () => {
  expect(groups.map(shown)).toEqual([
    [
      "entity loan",
      "RENAMED loan",
      "MODIFIED loan_key",
      ...["ADDED lending.fee", "DELETED loan.due", "RENAMED loan.member"],
    ],
    ["entity member", "MODIFIED member"],
    ["type money", "ADDED money"],
  ]);
});

test("every difference has a unique id", () => expect(new Set(entries.map(getDifferenceId)).size).toBe(entries.length));

test("a difference links to the object on either side with its key there", () => {
  const row = groups[0]?.rows.find(({ difference }) => formatPath(difference) === "loan.member");
  if (!row) throw new Error("no such row");
  const { difference, ownerOnRight } = row;
  expect(getPathOn(difference, "left", "key:library").params).toEqual({
    modelRef: "key:library",
    entityRef: "key:loan",
    attributeRef: "key:member",
  });
  expect(getPathOn(difference, "right", "key:library", ownerOnRight).params).toEqual({
    modelRef: "key:library",
    entityRef: "key:lending",
    attributeRef: "key:card",
  });
  const identifier = groups[0]?.rows.find(({ difference: one }) => one.objectType === "businessKey")?.difference;
  if (!identifier) throw new Error("no business key");
  expect(getPathOn(identifier, "left", "key:library")).toMatchObject({
    params: { entityRef: "key:loan" },
    search: { tab: "keys" },
    hash: "loan_key",
  });
  expect(getPathOn(identifier, "right", "key:library")).toMatchObject({ params: { entityRef: "key:lending" } });
});

test("filters limit the groups by class, kind and text, and hide empty ones", () => {
  const names = (list: readonly Group[]) => list.flatMap((group) => shown(group).slice(1));
  expect(names(filterGroups(groups, { classes: ["cosmetic"] }))).toEqual(["MODIFIED member"]);
  expect(names(filterGroups(groups, { kinds: ["type"] }))).toEqual(["ADDED money"]);
  expect(names(filterGroups(groups, { text: "CARD" }))).toEqual(["RENAMED loan.member"]);
  expect(filterGroups(groups, { text: "nowhere" })).toEqual([]);
  expect(filterGroups(groups, {})).toEqual(groups);
});
