import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { WARNINGS } from "../../shared/domain/warnings.ts";
import {
  LAYOUT,
  MEMBER_NAMES,
  type MemberPlace,
  PROFILE_MEMBERS,
} from "../../shared/formats/frictionless/profile-members.ts";

const page = readFileSync(new URL("../../docs/frictionless.md", import.meta.url), "utf8");

/** A place in a model in words. */
function inWords(member: string, place: MemberPlace): string {
  if (typeof place === "object") return place.in;
  const own = `the property \`frictionless:${member}\``;
  switch (place) {
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
  const rows = Object.entries(members).map(([member, place]) => `| \`${member}\` | ${inWords(member, place)} |`);
  expect(page).toContain(["| member | place |", "|---|---|", ...rows, ""].join("\n"));
});

test("the page has each warning code, and each property about the notation", () => {
  const rows = Object.entries(WARNINGS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  expect(page).toContain(["| code | meaning |", "|---|---|", ...rows, ""].join("\n"));
  for (const name of [...Object.values(LAYOUT), MEMBER_NAMES]) expect(page, name).toContain(`| \`${name}\` |`);
  expect(page).toContain(`${LIMITS.yamlBytes.toLocaleString("en")} bytes`);
});
