import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type OpenApi, toDescription } from "../../cli/calls/description.ts";
import { formatActionPage, formatGroupPage, formatRootPage } from "../../cli/calls/help-pages.ts";
import type { RichText } from "../../cli/terminal/text-stream.ts";
import { PLURALS } from "../../shared/actions/catalogue.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { ACTIONS } from "../support/actions.ts";
import { apiDocument } from "../web/support/described-service.ts";
import { sources } from "./support/sources.ts";

const ROOT = new URL("../../", import.meta.url);
const below = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`);

/** What callers read: pages, examples, and the code that shows calls and sentences. */
const TEXTS = [
  ...["README.md", "CHANGELOG.md", "AGENTS.md", ...below("docs"), ...below("examples")]
    .filter((path) => /\.(md|yml)$/.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), "utf8") })),
  ...sources().filter(({ path }) => !path.startsWith("test/")),
];

const NAMES = new Set(ACTIONS.map(({ name }) => name));
const GROUPS = Object.entries(PLURALS);
const asPath = new RegExp(`\\b(?:${GROUPS.map(([, plural]) => plural).join("|")})/(\\w+)`, "g");
const others = GROUPS.map(([group, plural]) => (toCommandGroup(group) === group ? plural : group));
const asCommand = new RegExp(`\\bmetaction (?:help )?(?:${others.join("|")})\\b`, "g");

/** Groups in the form that is read but never written: `models/entity_get`, `metaction tags`. */
function otherForms(text: string): readonly string[] {
  const paths = [...text.matchAll(asPath)].filter(([, name = ""]) => NAMES.has(name));
  return [...paths, ...text.matchAll(asCommand)].map(([found]) => found);
}

test("pages, examples and code write groups in one form, over HTTP and on the command line", () => {
  expect(TEXTS.length).toBeGreaterThan(500);
  expect(TEXTS.flatMap(({ path, text }) => otherForms(text).map((form) => `${path}: ${form}`))).toEqual([]);
});

test("a group in the other form is found", () => {
  const text =
    "`/api/models/entity_get`, `metaction tags tag_search`, metaction help model, `metaction models`, /models/x";
  expect(otherForms(text)).toEqual(["models/entity_get", "metaction tags", "metaction help model"]);
});

test("the OpenAPI document and the help of the command line use that form too", async () => {
  const api = (await apiDocument()) as OpenApi;
  const description = toDescription(api);
  const plain = (page: RichText) =>
    page.map((part) => (typeof part === "string" ? part : "bold" in part ? part.bold : part.text)).join("");
  const root = plain(formatRootPage(description, ""));
  for (const { name } of description.groups) expect(root).toMatch(new RegExp(`^ +${toCommandGroup(name)} `, "m"));
  const groups = description.groups.map(({ name }) => plain(formatGroupPage(description, name)));
  const actions = description.actions.map((action) => plain(formatActionPage(description, action)));
  expect(actions).toHaveLength(ACTIONS.length);
  for (const text of [JSON.stringify(api), root, ...groups, ...actions]) expect(otherForms(text)).toEqual([]);
});
