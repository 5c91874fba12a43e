import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SWEEP } from "../../shared/domain/limits.ts";
import { ACTIONS, ALLOWED, STORE } from "./support/allowed-imports.ts";
import { FOLDERS, sources } from "./support/sources.ts";

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly isDotted: boolean;
  readonly label: string;
}

function blockAfter(page: string, heading: string, language: string): string {
  const at = page.indexOf(`\n${heading}\n`);
  const begin = page.indexOf(`\n\`\`\`${language}\n`, at);
  if (at < 0 || begin < 0) throw new Error(`no block of ${language} after ${heading}`);
  const text = page.slice(begin).split("\n").slice(2);
  return text.slice(0, text.indexOf("```")).join("\n");
}

const FLOW =
  /^(?<from>\S+?)(?:\["[^"]*"\])? (?<line>-->|-\.->)(?:\|(?<label>[^|]*)\|)? (?<to>[^"[]+?)(?:\["[^"]*"\])?$/;
const STATE = /^(?<from>\S+) --> (?<to>[^\s"]+): (?<label>.*)$/;

/** The arrows of a drawing, one for each of several targets that `&` joins. A line that is none is left out. */
function arrowsOf(drawing: string): readonly Arrow[] {
  return drawing.split("\n").flatMap((line) => {
    const parts = (STATE.exec(line.trim()) ?? FLOW.exec(line.trim()))?.groups;
    if (!parts) return [];
    const { from = "", to = "", label = "" } = parts;
    return to.split(" & ").map((one) => ({ from, to: one.trim(), label, isDotted: parts.line === "-.->" }));
  });
}

/** The rooms of a line such as `shared/store   table <- log <- jobs | sweep`, lowest first. */
function floorsIn(drawing: string, folder: string): readonly (readonly string[])[] {
  const line = drawing.split("\n").find((text) => text.startsWith(`${folder} `)) ?? "";
  const floors = line.slice(folder.length).split("<-");
  return floors.map((floor) => floor.split("|").map((room) => room.trim()));
}

/** The strings and the member names of the members of a union type, in the order of its declaration. */
function membersOfUnion(source: string, type: string): readonly string[] {
  const from = source.indexOf(`type ${type} =`);
  const text = source.slice(from, source.indexOf(";\n", from)).replaceAll("readonly ", "");
  return [...text.matchAll(/\| (?:\{ (\w+)|"(\w+)")/g)].map(([, member, value]) => member ?? value ?? "");
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const foldersIn = (path: string): readonly string[] =>
  readdirSync(new URL(`../../${path}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

const page = read("docs/architecture.md");
const store = read("shared/actions/contract/store.ts");
const outcomes = membersOfUnion(store, "CommitOutcome");
const OUTSIDE = ["test", "bench", "docs"];

const labelsFrom = (arrows: readonly Arrow[], from: string): readonly string[] =>
  arrows.filter((arrow) => arrow.from === from).map(({ label }) => label);

describe("the drawing of the rooms", () => {
  const arrows = arrowsOf(blockAfter(page, "## The folders", "mermaid"));
  const floors = blockAfter(page, "## The folders", "text");

  test("has exactly the allowed imports", () => {
    const drawn = arrows.map(({ from, to, isDotted }) => `${from} ${isDotted ? "types of " : ""}${to}`);
    const allowed = ALLOWED.filter(({ from }) => !OUTSIDE.includes(from));
    expect([...drawn].sort()).toEqual(allowed.map((e) => `${e.from} ${e.types ? "types of " : ""}${e.to}`).sort());
  });

  test("has the existing folders", () => {
    const isThere = (folder: string) => sources().some(({ path }) => path.startsWith(`${folder}/`));
    const folders = [...foldersIn("shared").map((room) => `shared/${room}`), ...FOLDERS.filter((f) => f !== "shared")];
    const rooms = new Set([...OUTSIDE, ...arrows.flatMap(({ from, to }) => [from, to])]);
    expect([...rooms].sort()).toEqual(folders.filter(isThere).sort());
  });

  test.each([
    ["shared/store", STORE],
    ["shared/actions", ACTIONS],
  ])("has the rooms of %s on their floors", (folder, table) => {
    const drawn = floorsIn(floors, folder);
    expect(drawn.slice(0, table.length)).toEqual(table);
    expect(drawn.flat().sort()).toEqual([...foldersIn(folder)].sort());
  });
});

describe("the drawing of a write", () => {
  const arrows = arrowsOf(blockAfter(page, "### One write, with its retry loop", "mermaid"));

  test("has exactly the outcomes of a commit", () => {
    expect(outcomes.length).toBeGreaterThan(5);
    expect(labelsFrom(arrows, "commit")).toEqual(outcomes);
  });

  test("leads from every stage except the ends to another", () => {
    const ends = arrows.map(({ to }) => to).filter((to) => labelsFrom(arrows, to).length === 0);
    expect([...new Set(ends)].sort()).toEqual(["answer", "job", "kept", "refuse"]);
  });
});

describe("the drawing of a generation", () => {
  const text = blockAfter(page, "### The life of a generation", "mermaid");
  const arrows = arrowsOf(text);

  test("has the states of the staging record", () => {
    const states = /readonly state: (.*);/.exec(read("shared/store/log/stagings.ts"))?.[1] ?? "";
    const drawn = [...text.matchAll(/state "[^"(]*\((\w+)\)"/g)].map(([, state]) => `"${state}"`);
    expect(new Set(drawn)).toEqual(new Set(states.split(" | ")));
  });

  test("has each outcome of a commit, one of them as published", () => {
    const words = arrows.map(({ label }) => label).join(" ");
    for (const outcome of outcomes.filter((name) => name !== "revision"))
      expect(words, outcome).toMatch(new RegExp(`\\b${outcome}\\b`));
  });

  test("has the waiting times of the sweeper", () => {
    const labelsInto = (to: string) => arrows.filter((arrow) => arrow.to === to).map(({ label }) => label);
    const hours = SWEEP.generationMs / 3_600_000;
    expect(labelsInto("swept")).toContainEqual(expect.stringContaining(`after ${hours} hours`));
    expect(labelsInto("closed")).toContainEqual(expect.stringContaining(`${SWEEP.stagingMs / 60_000} minutes`));
    expect(labelsInto("[*]")).toEqual([expect.stringContaining(`after ${SWEEP.secondLookMs / 60_000} minutes`)]);
  });
});

test("every arrow of a drawing is read", () => {
  for (const heading of ["## The folders", "### One write, with its retry loop", "### The life of a generation"]) {
    const drawn = blockAfter(page, heading, "mermaid");
    const read = drawn.split("\n").filter((line) => arrowsOf(line).length > 0);
    expect(drawn.match(/ (?:-->|-\.->)/g)?.length, heading).toBe(read.length);
  }
});
