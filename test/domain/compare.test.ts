import { describe, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { Difference } from "../../shared/domain/differences.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";

const BASE: ModelDocument = {
  $schema: "urn:metaction:model:2",
  id: "m",
  key: "crm",
  name: "Customers",
  version: "1.0.0",
  authority: "system",
  types: [
    { id: "t1", key: "number" },
    { id: "t2", key: "string" },
  ],
  entities: [
    {
      id: "e1",
      key: "customer",
      attributes: [
        { id: "a1", key: "code", type: "key:string", optional: false, tags: ["key:pii"] },
        { id: "a2", key: "age", type: "key:number", optional: true },
      ],
      primaryKey: ["key:code"],
    },
    { id: "e2", key: "order", attributes: [], primaryKey: [] },
  ],
  relationships: [
    {
      id: "r1",
      key: "places",
      roles: [
        { id: "p1", key: "buyer", entity: "key:customer", cardinality: "one" },
        { id: "p2", key: "bought", entity: "key:order", cardinality: "unknown" },
      ],
      attributes: [{ id: "a3", key: "since", type: "key:string", optional: true }],
    },
  ],
  businessKeys: [{ id: "b1", key: "customer_code", entity: "key:customer", participants: ["key:code"] }],
  localTags: [{ id: "l1", key: "pii" }],
  tagGroups: [],
};

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;
type Draft = Writable<ModelDocument>;

function edited(edit: (draft: Draft) => void): ModelDocument {
  const draft = structuredClone(BASE) as Draft;
  edit(draft);
  return draft as ModelDocument;
}

function anonymous(document: ModelDocument): ModelDocument {
  return JSON.parse(JSON.stringify(document, (member, value) => (member === "id" ? undefined : value)));
}

const ORIGIN = "https://example.com/schema.json#/customers";

const withOrigin = (d: Draft) => Object.assign(at(d.entities, 0), { origin: ORIGIN });

const at = <T>(list: T[], i: number): T => {
  const found = list[i];
  if (found === undefined) throw new Error(`nothing at ${i}`);
  return found;
};

function differences(edit: (draft: Draft) => void, sameModel = true, scope: "structural" | "complete" = "complete") {
  return inShort(compareModels(BASE, edited(edit), { sameModel, scope }));
}

function inShort(found: readonly Difference[]): readonly string[] {
  return found.map((d) => {
    const keys = [d.typeKey, d.entityKey, d.relationshipKey, d.roleKey, d.attributeKey, d.businessKeyKey, d.tagKey];
    const place = keys.filter((key) => key !== undefined).join("/");
    return `${d.status} ${d.objectType} ${place} ${d.members?.join(",") ?? ""} ${d.impact}`.replace(/ +/g, " ");
  });
}

const renaming = (d: Draft) => {
  at(d.entities, 0).key = "client";
  at(at(d.relationships, 0).roles, 0).entity = "key:client";
  at(d.businessKeys, 0).entity = "key:client";
};
const renamed = ["RENAMED entity customer key breaking"];

const EDITS: readonly {
  readonly what: string;
  readonly edit: (d: Draft) => void;
  readonly tells: readonly string[];
}[] = [
  { what: "nothing", edit: () => undefined, tells: [] },
  { what: "a model's key", edit: (d) => Object.assign(d, { key: "x" }), tells: ["RENAMED model key breaking"] },
  {
    what: "a renamed type, which attributes keep",
    edit: (d) => {
      at(d.types, 1).key = "text";
      at(at(d.entities, 0).attributes, 0).type = "key:text";
      at(at(d.relationships, 0).attributes, 0).type = "key:text";
    },
    tells: ["RENAMED type string key breaking"],
  },
  { what: "a renamed entity, with what refers to it", edit: renaming, tells: renamed },
  {
    what: "an attribute of another type that may now be left out",
    edit: (d) => Object.assign(at(at(d.entities, 0).attributes, 0), { type: "key:number", optional: true }),
    tells: ["MODIFIED entityAttribute customer/code optional,type breaking"],
  },
  {
    what: "a renamed tag, which marks keep",
    edit: (d) => {
      at(d.localTags, 0).key = "personal";
      at(at(d.entities, 0).attributes, 0).tags = ["key:personal"];
    },
    tells: ["RENAMED tag pii key cosmetic"],
  },
  {
    what: "a first primary key",
    edit: (d) => {
      at(d.entities, 1).attributes.push({ id: "n", key: "no", type: "key:number", optional: true });
      at(d.entities, 1).primaryKey = ["key:no"];
    },
    tells: ["MODIFIED entity order primaryKey additive", "ADDED entityAttribute order/no additive"],
  },
  {
    what: "first key pairs, which roles with other keys turn round",
    edit: (d) => {
      at(d.entities, 1).attributes.push({ id: "n", key: "no", type: "key:number", optional: true });
      at(d.relationships, 0).keyPairs = [["key:code", "key:no"]];
    },
    tells: ["ADDED entityAttribute order/no additive", "MODIFIED relationship places keyPairs additive"],
  },
  {
    what: "a relationship that is gone",
    edit: (d) => d.relationships.pop(),
    tells: [
      "DELETED relationship places breaking",
      "DELETED relationshipAttribute places/since breaking",
      "DELETED relationshipRole places/bought cosmetic",
      "DELETED relationshipRole places/buyer cosmetic",
    ],
  },
];

describe("the comparison of two states of one model reports", () => {
  test.each(EDITS)("$what", ({ edit, tells }) => expect(differences(edit)).toEqual(tells));

  test("the reverse direction, with added objects as removed", () => {
    const more = edited((d) => d.types.push({ id: "t3", key: "date" }));
    const back = compareModels(more, BASE, { sameModel: true, scope: "complete" });
    expect(back).toMatchObject([{ status: "DELETED", objectType: "type", typeKey: "date", impact: "cosmetic" }]);
  });
});

describe("the comparison of two models", () => {
  test("ignores their own keys and ids", () => {
    const other = JSON.parse(JSON.stringify(BASE), (member, value) => (member === "id" ? `other ${value}` : value));
    other.key = "crm_copy";
    expect(compareModels(BASE, other, { sameModel: false, scope: "complete" })).toEqual([]);
  });

  test("recognises a renamed object by its id, its origin and its former key", () => {
    expect(differences(renaming, false)).toEqual(renamed);
    const shown = (change: (d: Draft) => void) => {
      const [left, right] = [edited(withOrigin), edited(renaming)].map(anonymous);
      change(right as Draft);
      return inShort(
        compareModels(left as ModelDocument, right as ModelDocument, { sameModel: false, scope: "complete" }),
      );
    };
    expect(shown((d) => Object.assign(at(d.entities, 0), { origin: ORIGIN }))).toEqual(renamed);
    expect(shown((d) => Object.assign(at(d.entities, 0), { renamedFrom: "customer" }))).toEqual(renamed);
  });

  test("ignores origins", () => {
    const origins = (terms: object) =>
      compareModels(BASE, edited(withOrigin), { sameModel: false, scope: "complete", ...terms });
    expect(origins({})).toEqual([]);
    expect(origins({ provenance: true })).toMatchObject([{ status: "MODIFIED", members: ["origin"] }]);
  });

  test("takes a renamed object without evidence for another one, with all its parts", () => {
    const [left, right] = [BASE, edited(renaming)].map(anonymous);
    const found = compareModels(left as ModelDocument, right as ModelDocument, { sameModel: false, scope: "complete" });
    expect(inShort(found)).toEqual([
      "MODIFIED businessKey customer_code entity,participants breaking",
      "ADDED entity client additive",
      "DELETED entity customer breaking",
      "ADDED entityAttribute client/age additive",
      "ADDED entityAttribute client/code additive",
      "DELETED entityAttribute customer/age breaking",
      "DELETED entityAttribute customer/code breaking",
      "MODIFIED relationshipRole places/buyer entity breaking",
    ]);
  });
});

test("the structural scope omits texts and tags only", () => {
  const edit = (d: Draft) => {
    d.description = "More.";
    d.localTags.push({ id: "l2", key: "new" });
    at(d.entities, 0).name = "Customer";
    at(d.entities, 0).primaryKey = [];
    d.types.push({ id: "t3", key: "date" });
  };
  expect(differences(edit, true, "structural")).toEqual([
    "MODIFIED entity customer primaryKey breaking",
    "ADDED type date additive",
  ]);
});

describe("attributes in another order", () => {
  const keys = ["a", "b", "c", "d"];
  const placed = (order: readonly string[]): ModelDocument =>
    edited((d) => {
      at(d.entities, 1).attributes = order.map((key) => ({ id: key, key, type: "key:number", optional: true }));
    });
  const told = (order: readonly string[], scope: "structural" | "complete" = "complete") =>
    compareModels(placed(keys), placed(order), { sameModel: true, scope });

  test("are one cosmetic row of their owner, which shows both orders", () => {
    const order = ["d", "a", "b", "c"];
    expect(told(order)).toEqual([
      {
        status: "MODIFIED",
        objectType: "entity",
        entityKey: "order",
        impact: "cosmetic",
        reasons: ["attributes: the order changed"],
        ...{ readers: SAFE, writers: SAFE },
        members: ["attributes"],
        left: { key: "order", primaryKey: [], attributes: keys.map((key) => `key:${key}`) },
        right: { key: "order", primaryKey: [], attributes: order.map((key) => `key:${key}`) },
      },
    ]);
    expect(told(order, "structural")).toEqual([]);
  });

  test("are not reported where some are added or removed", () =>
    expect(told(["a", "x", "b", "d"]).map(({ objectType }) => objectType)).toEqual([
      "entityAttribute",
      "entityAttribute",
    ]));
});

/** The verdict for a side that goes on as before. */
const SAFE = { verdict: "safe", reasons: [] };

describe("changed key pairs", () => {
  type Pairs = readonly (readonly [string, string])[];
  const joined = (pairs: Pairs, change: (d: Draft) => void = () => undefined): ModelDocument =>
    edited((d) => {
      const keys = ["b", "c"].map((key) => ({ id: key, key, type: "key:number", optional: true }));
      at(d.entities, 0).attributes.push(...keys);
      at(d.entities, 1).attributes.push(...keys.map((one) => ({ ...one, id: `${one.id}2` })));
      if (pairs.length > 0) at(d.relationships, 0).keyPairs = pairs.map(([a, b]) => [`key:${a}`, `key:${b}`]);
      change(d);
    });
  const told = (left: Pairs, right: Pairs, change?: (d: Draft) => void) =>
    compareModels(joined(left), joined(right, change), { sameModel: true, scope: "structural" })
      .filter(({ objectType }) => objectType === "relationship")
      .flatMap(({ impact, reasons }) => [impact, ...reasons]);
  const [B, C] = [
    ["b", "b"],
    ["c", "c"],
  ] as const;

  test.each<[string, Pairs, Pairs, readonly string[]]>([
    ["first pairs", [], [B, C], ["additive", "keyPairs: key pairs were added"]],
    ["one more", [B], [C, B], ["breaking", "keyPairs: the key pairs changed"]],
    ["one less", [B, C], [C], ["breaking", "keyPairs: the key pairs changed"]],
    ["other ones", [B], [["b", "c"]], ["breaking", "keyPairs: the key pairs changed"]],
    ["none any more", [B], [], ["breaking", "keyPairs: the key pairs were removed"]],
    ["another order", [B, C], [C, B], ["cosmetic", "keyPairs: only the order of the key pairs changed"]],
    ["the same", [B, C], [B, C], []],
  ])("%s", (_what, left, right, tells) => expect(told(left, right)).toEqual(tells));

  test("are equal if only the keys of roles and attributes differ", () => {
    const turned = (d: Draft) => {
      const relationship = at(d.relationships, 0);
      // Roles stand in the order of their keys, and pairs in that of the roles.
      at(relationship.roles, 0).key = "z";
      relationship.roles.reverse();
      relationship.keyPairs = [["key:b", "key:x"]];
      at(at(d.entities, 0).attributes, 2).key = "x";
    };
    expect(told([B], [], turned)).toEqual([]);
  });
});

test("each difference has a reason, and both sides", () => {
  const [difference] = compareModels(
    BASE,
    edited((d) => Object.assign(at(at(d.entities, 0).attributes, 1), { optional: false })),
    { sameModel: true, scope: "complete" },
  );
  expect(difference).toEqual({
    status: "MODIFIED",
    objectType: "entityAttribute",
    entityKey: "customer",
    attributeKey: "age",
    impact: "breaking",
    reasons: ["optional: writers that omit it will fail"],
    readers: SAFE,
    writers: { verdict: "breaks", reasons: ["optional: writers that omit it will fail"] },
    members: ["optional"],
    left: { key: "age", type: "key:number", optional: true },
    right: { key: "age", type: "key:number", optional: false },
  });
});
