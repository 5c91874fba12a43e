import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACTIONS, ALLOWED, STORE } from "./support/allowed-imports.ts";
import type { Floors, RoomEdge } from "./support/import-edges.ts";
import { codeIn, tableUnder } from "./support/page-tables.ts";

const page = readFileSync(new URL("../../AGENTS.md", import.meta.url), "utf8");
const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The imports that a table of rooms allows, as sentences; `every room` stands for all rooms but the row's own. */
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

/** The rooms of a table by the floor it gives them, lowest first. */
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
