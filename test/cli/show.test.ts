import { createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { findPagePath } from "../../cli/commands/views.ts";
import { getObjectPath } from "../../ui/parts/object-path.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { call, json, run, shown } = here;

beforeAll(async () => {
  const inBook = { modelRef: "key:library", entityRef: "key:book" };
  for (const [action, payload] of [
    ["model/business_key_create", { ...inBook, key: "title", participants: ["key:title"] }],
    ["model/entity_update_property", { ...inBook, property: "owner", value: "Lending desk" }],
    [
      "model/entity_attribute_update_property",
      { ...inBook, attributeRef: "key:isbn", property: "source", value: ["a", 1] },
    ],
    ["model/model_update_property", { modelRef: "key:library", property: "owner", value: "City" }],
    ["model/model_create", { key: "empty", name: "Empty" }],
    ["model/import", { content: "CREATE TABLE t (a numeric(9,2), b date, c jsonb);", modelKey: "typed" }],
    ["model/entity_create", { modelRef: "key:empty", entityKey: "public.order", description: "word ".repeat(60) }],
  ] as const)
    await call(action, payload);
});

describe("show", () => {
  test.each([
    ...["show library", "show library book", "show empty", "show empty/public.order"],
  ])("%s is a page on a terminal of 100 columns", async (command) => {
    const lines = await shown(command);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines).toMatchSnapshot();
  });

  test("is JSON in a pipe, with counts", async () => {
    const model = await json`show library`;
    expect(model).toMatchObject({ path: "library", name: "City library", tags: ["books", "public_sector"] });
    const properties = { owner: "Lending desk" };
    expect(model.entities[0]).toMatchObject({ key: "book", attributes: 3, primaryKey: ["isbn"], properties });
    const entity = await json`show library loan --query=${"{p: path, a: attributes[].key, k: keys}"}`;
    expect(entity).toEqual({ p: "library/loan", a: ["book", "member", "due"], k: [] });
    const types = await json`show typed t --query=${"attributes[].[type, logicalType]"}`;
    expect(types).toEqual([
      ["numeric", "decimal(9, 2)"],
      ["date", null],
      ["jsonb", "json"],
    ]);
    expect(await json`search --logical-type=decimal,json --query=${"items[].path"}`).toEqual([
      "typed/t.a",
      "typed/t.c",
    ]);
    // What a search shows as the place of an attribute is on the page of its entity.
    expect((await json`show library/loan.due`).path).toBe("library/loan");
  });

  test.each([
    ["show none", 3, "none"],
    ["show library lown", 3, "lown"],
    ["show", 2, "metaction show crm customer"],
    ["open library/loan.due --url=http://127.0.0.1:1", 1, "cannot be reached"],
    ["open library --prin", 2, "--print"],
  ])("ends with a remedy for a wrong argument: %s", async (command, code, sentence) => {
    expect(await run`${command.split(" ")}`).toEqual({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  });
});

describe("open", () => {
  test("prints the address of the page", async () => {
    const at = async (...args: string[]) => {
      const { stdout, code } = await run`open ${args}`;
      expect(code).toBe(0);
      return stdout.replace(here.service.url, "").trimEnd();
    };
    expect(await at()).toBe("/models");
    expect(await at("library")).toBe("/models/key:library");
    expect(await at("library", "loan")).toBe("/models/key:library/entities/key:loan");
    expect(await at("library/loan.due", "--print")).toBe("/models/key:library/entities/key:loan/attributes/key:due");
    expect(await at("empty/public.order")).toBe("/models/key:empty/entities/key:public.order");
  });

  test("opens a browser on a terminal, whose Ctrl-C does not end it", async () => {
    const opened = `${here.user.home}/opened`;
    const script = `mkdir -p ${opened}; printf '#!/bin/sh\\n[ $(cut -d" " -f5 /proc/$$/stat) -eq $$ ] && echo "$1" > ${opened}/address' > ${opened}/xdg-open; chmod +x ${opened}/xdg-open`;
    await here.user.onTerminal(
      `${script}; PATH=${opened}:$PATH metaction open library; for i in $(seq 50); do [ -s ${opened}/address ] && break; sleep 0.1; done; cat ${opened}/address`,
    );
    expect((await here.user.shell(`cat ${opened}/address`)).stdout).toBe(`${here.service.url}/models/key:library\n`);
  });

  test.each([
    { modelRef: "key:crm" },
    { modelRef: "id:01890a5d-ac96-774b-bcce-b302099a8057", entityRef: "key:a/b c?d#e%f" },
    { modelRef: "key:a,b;c=d&e$f+g@h", entityRef: "key:x", attributeRef: "key:(y) [z]!*~" },
  ])("prints the address of the page: %j", (refs) => {
    const { to, params } = getObjectPath(refs);
    const root = createRootRoute();
    const router = createRouter({
      routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: to })]),
      history: createMemoryHistory(),
    });
    const [, read] = router.getMatchedRoutes(findPagePath(refs));
    expect(read).toEqual(params);
  });
});
