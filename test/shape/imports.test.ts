import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACTIONS, ALLOWED, STORE, UI } from "./support/allowed-imports.ts";
import {
  cyclesAmong,
  type Floors,
  forbiddenEdges,
  importsOf,
  missingFiles,
  type RoomEdge,
  roomOf,
  unusedEdges,
  upwardEdges,
} from "./support/import-edges.ts";
import { codeIn, tableUnder } from "./support/page-tables.ts";
import { type Source, sources } from "./support/sources.ts";

const file = (path: string, text: string): Source => ({ path, text });

/** The imports that lead from a screen of the web application to another one. */
const betweenScreens = (files: readonly Source[]): readonly string[] => {
  const screenOf = (path: string): string | undefined => /^ui\/screens\/([^/]+)\//.exec(path)?.[1];
  return files
    .flatMap(importsOf)
    .filter(({ from, to }) => screenOf(from) && screenOf(to) && screenOf(from) !== screenOf(to))
    .map(({ from, to }) => `${from} imports ${to}`);
};

describe("imports between rooms", () => {
  test("follow the table of allowed edges", () => expect(forbiddenEdges(sources(), ALLOWED)).toEqual([]));

  test("use every edge of the table, each as far as it goes", () => {
    expect(unusedEdges(sources(), ALLOWED)).toEqual([]);
  });

  test("of the stack use only the table's declaration of the store", () => {
    const reached = sources()
      .flatMap(importsOf)
      .filter((e) => roomOf(e.from) === "infra" && roomOf(e.to) === "shared/store");
    expect([...new Set(reached.map((e) => e.to))]).toEqual(["shared/store/table/table-schema.ts"]);
  });

  test("have targets that exist", () => expect(missingFiles(sources())).toEqual([]));

  test("give a reason for each edge, and name each once", () => {
    const names = ALLOWED.map((e) => `${e.from} -> ${e.to}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { because } of ALLOWED) expect(because.length).toBeGreaterThan(10);
  });
});

describe("imports between the rooms of", () => {
  test("the store lead downwards", () => expect(upwardEdges(sources(), "shared/store", STORE)).toEqual([]));

  test("the actions lead downwards", () => expect(upwardEdges(sources(), "shared/actions", ACTIONS)).toEqual([]));

  test("the web application lead downwards, and from no screen to another", () => {
    expect(upwardEdges(sources(), "ui", UI)).toEqual([]);
    expect(betweenScreens(sources())).toEqual([]);
  });

  test("the actions use only their contract where another folder implements it", () => {
    const implementing = ["shared/store", "shared/formats", "shared/identity", "shared/search", "shared/domain"];
    const reached = sources()
      .flatMap(importsOf)
      .filter((e) => implementing.includes(roomOf(e.from)) && roomOf(e.to) === "shared/actions");
    expect(reached.filter((e) => !e.to.startsWith("shared/actions/contract/"))).toEqual([]);
    expect(reached.length).toBeGreaterThan(50);
  });
});

test("files do not import each other in a cycle, not even types", () => expect(cyclesAmong(sources())).toEqual([]));

describe("the check of imports", () => {
  const wrong = 'import { createStore } from "../store/model-store.ts";\n';

  test("finds an edge that is not allowed", () => {
    const found = forbiddenEdges([file("shared/actions/wrong.ts", wrong)], ALLOWED);
    expect(found).toEqual(["shared/actions/wrong.ts imports shared/store/model-store.ts"]);
  });

  test("distinguishes types from loaded code: an edge for types does not allow more", () => {
    const edge = [{ from: "shared/store", to: "shared/actions", types: true, because: "for the test" }] as const;
    const types = file("shared/store/x.ts", 'import type { Store } from "../actions/store.ts";');
    const values = file("shared/store/y.ts", 'import { dispatch } from "../actions/dispatch.ts";');
    expect(forbiddenEdges([types, values], edge)).toEqual(["shared/store/y.ts imports shared/actions/dispatch.ts"]);
    expect(unusedEdges([types], edge)).toEqual([]);
    expect(unusedEdges([types], [{ from: "shared/store", to: "shared/actions", because: "for the test" }])).toEqual([
      "shared/store -> shared/actions is used for types alone",
    ]);
    expect(unusedEdges([values], [{ from: "cli", to: "shared/domain", because: "for the test" }])).toHaveLength(1);
  });

  test.each([
    ["up", 1, "log/x.ts", 'import { a } from "../read/y.ts";'],
    ["up for types alone", 1, "log/x.ts", 'import type { a } from "../read/y.ts";'],
    ["to the same floor", 1, "jobs/x.ts", 'import { a } from "../sweep/y.ts";'],
    ["to a file outside all folders", 1, "jobs/x.ts", 'import { a } from "../model-store.ts";'],
    ["down", 0, "jobs/x.ts", 'import { a } from "../table/y.ts";'],
    ["inside of a room", 0, "jobs/x.ts", 'import { a } from "./y.ts";'],
    ["from a file outside all folders", 0, "model-store.ts", 'import { a } from "./jobs/y.ts";'],
  ])("of an import that leads %s finds %i", (_, count, path, text) => {
    expect(upwardEdges([file(`shared/store/${path}`, text)], "shared/store", STORE)).toHaveLength(count);
  });

  test("finds an import from a screen to another, and accepts one inside a screen", () => {
    const text = 'import { a } from "../models/a.ts";';
    expect(betweenScreens([file("ui/screens/model/b.ts", text)])).toHaveLength(1);
    expect(betweenScreens([file("ui/screens/models/b.ts", text)])).toEqual([]);
  });

  test("finds a cycle, also with types in one direction", () => {
    const a = file("shared/domain/a.ts", 'import { b } from "./b.ts";');
    const b = file("shared/domain/b.ts", 'import { c } from "./c.ts";');
    const back = file("shared/domain/c.ts", 'import { a } from "./a.ts";');
    const types = file("shared/domain/c.ts", 'import type { A } from "./a.ts";');
    expect(cyclesAmong([a, b, back])).toEqual([
      ["shared/domain/a.ts", "shared/domain/b.ts", "shared/domain/c.ts", "shared/domain/a.ts"],
    ]);
    expect(cyclesAmong([a, b, types])).toHaveLength(1);
    expect(cyclesAmong([a, b])).toEqual([]);
  });

  test("finds a missing file", () => {
    expect(missingFiles([file("shared/domain/a.ts", 'import { b } from "./b.ts";')])).toHaveLength(1);
  });

  test("reads every file: each has a room of the table, and no import of ours is missed", () => {
    const rooms = new Set(ALLOWED.flatMap((e) => [e.from, e.to]));
    for (const source of sources()) {
      expect(rooms, source.path).toContain(roomOf(source.path));
      const lines = source.text.match(/^(?:import|export|\}) ?[^;\n]*from "\.{1,2}\//gm) ?? [];
      expect(importsOf(source).length, source.path).toBeGreaterThanOrEqual(lines.length);
    }
  });
});

const page = readFileSync(new URL("../../AGENTS.md", import.meta.url), "utf8");

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The imports that a table of rooms allows, as sentences; `every room` means all other rooms. */
function saidImports(rows: readonly (readonly string[])[]): readonly string[] {
  const rooms = rows.flatMap(([room = ""]) => codeIn(room));
  return rows.flatMap(([room = "", , cell = ""]) => {
    const from = codeIn(room).join();
    if (cell === "every room") return rooms.filter((to) => to !== from).map((to) => `${from} imports ${to}`);
    const types = new Set([...cell.matchAll(/types of `([^`]+)`/g)].map(([, to]) => to));
    return codeIn(cell).map((to) => `${from} imports ${types.has(to) ? "types of " : ""}${to}`);
  });
}

const allowedImports = (edges: readonly RoomEdge[]): readonly string[] =>
  edges.map(({ from, to, types }) => `${from} imports ${types ? "types of " : ""}${to}`);

function saidFloors(rows: readonly (readonly string[])[]): Floors {
  const floors = Map.groupBy(rows, ([, floor]) => Number(floor));
  return [...floors].sort(([a], [b]) => a - b).map(([, on]) => on.flatMap(([room = ""]) => codeIn(room)));
}

const foldersIn = (path: string): readonly string[] =>
  readdirSync(new URL(`../../${path}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe("AGENTS.md", () => {
  const rooms = tableUnder(page, "| room | what lives there | may import |");

  test("lists exactly the allowed imports", () => {
    expect([...saidImports(rooms)].sort()).toEqual([...allowedImports(ALLOWED)].sort());
  });

  test("has a row for every room, once, with its content", () => {
    const names = rooms.flatMap(([room = ""]) => codeIn(room));
    expect([...names].sort()).toEqual([...new Set(ALLOWED.flatMap(({ from, to }) => [from, to]))].sort());
    for (const [room, lives = ""] of rooms) expect(lives.length, room).toBeGreaterThan(10);
  });

  test.each([
    ["shared/store", STORE],
    ["shared/actions", ACTIONS],
  ])("has the rooms of %s on their floors", (folder, floors) => {
    const said = saidFloors(tableUnder(page, `| room of \`${folder}\` | floor | what lives there |`));
    expect(said.slice(0, floors.length)).toEqual(floors);
    expect(said.flat().sort()).toEqual([...foldersIn(folder)].sort());
  });

  test("names commands that package.json has", () => {
    const commands = tableUnder(page, "| | |").flatMap(([command = ""]) => codeIn(command));
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const name = /^npm (?:run )?(?<name>\S+)$/.exec(command)?.groups?.name ?? command;
      expect(Object.keys(scripts), command).toContain(name);
    }
  });
});
