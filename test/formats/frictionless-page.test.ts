import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { WARNINGS } from "../../shared/domain/warnings.ts";
import {
  LAYOUT,
  type Mapping,
  MEMBER_NAMES,
  PROFILE_MEMBERS,
} from "../../shared/formats/frictionless/profile-members.ts";

const page = readFileSync(new URL("../../docs/frictionless.md", import.meta.url), "utf8");

function inWords(member: string, mapping: Mapping): string {
  if (typeof mapping === "object") return mapping.in;
  const own = `the property \`frictionless:${member}\``;
  switch (mapping) {
    case "constraint":
      return `\`constraints.${member}\``;
    case "well-known":
      return `the property \`${member}\`; ${own} if the value does not match its definition`;
    case "own":
      return own;
    case "none":
      return "not stored: it is the data itself";
  }
}

test.each(Object.entries(PROFILE_MEMBERS))("the page has each member of a %s with its target", (_, members) => {
  const rows = Object.entries(members).map(([member, mapping]) => `| \`${member}\` | ${inWords(member, mapping)} |`);
  expect(page).toContain(["| member | place |", "|---|---|", ...rows, ""].join("\n"));
});

test("the page has each warning code, and each property about the notation", () => {
  const rows = Object.entries(WARNINGS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  expect(page).toContain(["| code | meaning |", "|---|---|", ...rows, ""].join("\n"));
  for (const name of [...Object.values(LAYOUT), MEMBER_NAMES]) expect(page, name).toContain(`| \`${name}\` |`);
  expect(page).toContain(`${LIMITS.yamlBytes.toLocaleString("en")} bytes`);
});
