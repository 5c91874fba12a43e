import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHANGES } from "../../shared/domain/change-kinds.ts";

const PAGE = readFileSync(new URL("../../docs/breaking-changes.md", import.meta.url), "utf8");

test("docs/breaking-changes.md lists every kind of change with its class, verdicts and reason", () => {
  const [, section = ""] = PAGE.split("## Kinds of changes\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.map((line) => line.slice(2, -2).split(" | "))).toEqual(
    Object.entries(CHANGES).map(([name, row]) => [`\`${name}\``, ...row]),
  );
});

test("a class of changes is at least as severe as its verdicts", () => {
  for (const [name, [impact, readers, writers]] of Object.entries(CHANGES)) {
    const isBreaking = readers === "breaks" || writers === "breaks";
    expect(impact === "breaking", name).toBe(isBreaking);
    if (impact === "operational" || impact === "cosmetic") expect([readers, writers], name).toEqual(["safe", "safe"]);
    if (writers === "risk") expect(impact, name).toMatch(/breaking|behavioural/);
  }
});
