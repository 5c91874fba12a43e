import { describe, expect, test } from "vitest";
import { formatPlansAsMarkdown } from "../../cli/commands/apply-report.ts";
import type { Run } from "../../cli/commands/plan-model.ts";
import { groupSteps, type Step } from "../../cli/commands/plan-steps.ts";
import { LIMITS } from "../../shared/domain/limits.ts";

const NONE = { breaks: 0, risk: 0, safe: 0 };

function planned(steps: readonly Step[], file = "crm.json", notes: object = {}): Run {
  const count = (impact: string) => steps.filter((step) => step.impact === impact).length;
  const counts = {
    ...{ breaking: count("breaking"), behavioural: count("behavioural"), additive: count("additive") },
    ...{ operational: count("operational"), cosmetic: count("cosmetic") },
    verdicts: { readers: NONE, writers: NONE },
  };
  const written = { status: "ok", id: "i", key: "crm", revision: 8, changed: true } as const;
  const marks = { format: "metaction", name: "a model document", sure: "certain", because: "of its $schema" } as const;
  const recognised = { ...marks, others: [] };
  const none = { globalTags: 0, warnings: [], likelyRenames: [] };
  const plan = { ...written, plan: "f".repeat(64), stepCount: steps.length, ...counts, recognised, ...none, ...notes };
  const source = { file, parameters: { content: {} }, key: "crm", isOwn: true };
  return { file, preview: { source, payload: {}, plan: { ...plan, steps: [...steps] } } };
}

const step = (key: string, more: Partial<Step> = {}): Step => ({
  does: "update",
  objectType: "entity",
  ref: `id:${key}`,
  entityKey: key,
  before: { name: "A" },
  after: { name: "B" },
  impact: "cosmetic",
  reasons: [],
  readers: { verdict: "safe", reasons: [] },
  writers: { verdict: "safe", reasons: [] },
  ...more,
});

const bytes = (text: string) => Buffer.byteLength(text);

test("the steps of a relationship and its roles are one group of a plan", () => {
  const role = { objectType: "relationshipRole", relationshipKey: "r", ownerRef: "id:r" } as const;
  expect(groupSteps([step("r", { objectType: "relationship" }), step("a", role)])).toHaveLength(1);
});

describe("a plan in Markdown", () => {
  test("has the most severe steps first, and escapes the texts of the model", () => {
    const hostile = "a|b `c` <img> @ada\n# x";
    const text = formatPlansAsMarkdown(
      [
        planned([
          step(hostile, { after: { name: hostile } }),
          step("gone", { does: "delete", impact: "breaking", reasons: [`it is gone, @ada <b>*x*</b> | y`] }),
        ]),
      ],
      "plan",
    );
    expect(text).toMatchSnapshot();
    const [, , , , , , first = "", second = ""] = text.split("\n");
    expect(first).toContain("| `-` | breaking | delete entity `gone` |");
    expect(second).toContain("| `~` | cosmetic | update entity ``");
    // Every row has as many cells as the table.
    for (const row of [first, second]) expect(row.match(/(?<!\\)\|/g), row).toHaveLength(6);
  });

  test("lists likely renames and warnings, also of a file without steps", () => {
    const likeness = { confidence: 0.8, reason: "both are used by @bill", declaredBy: "renamedFrom" };
    const likelyRenames = [{ objectType: "entity", from: ["order"], to: "sale", ...likeness }];
    const warnings = [{ code: "value_dropped", detail: "has no *name*", count: 2, pointers: ["/a"] }];
    const runs = [planned([step("a")]), planned([], "b.json", { likelyRenames, warnings })];
    const [rename, warning] = formatPlansAsMarkdown(runs, "plan").split("\n").slice(-3);
    const advice = 'if it is, write "renamedFrom": "order" next to the key sale';
    expect(rename).toBe(`- entity \`order\` looks like \`sale\` (80 %): both are used by @<!-- -->bill; ${advice}`);
    expect(warning).toBe("- /a has no \\*name\\* (2 times)");
  });

  test("is never longer than commentBytes, and states what was cut off", () => {
    expect(LIMITS.commentBytes).toBe(65_536);
    const long = Array.from({ length: 1_900 }, (_, i) => step(`entity ${i}`, { after: { name: `ä${i}` } }));
    const text = formatPlansAsMarkdown([planned(long)], "plan");
    expect(bytes(text)).toBeLessThanOrEqual(LIMITS.commentBytes);
    expect(bytes(text)).toBeGreaterThan(LIMITS.commentBytes - 300);
    const shown = text.match(/^\| `~`/gm)?.length ?? 0;
    const [, left] = /^(\d+) more lines do not fit into a comment; see all with `metaction plan`\.$/m.exec(text) ?? [];
    // One line is empty: the one behind the table.
    expect(shown + Number(left)).toBe(long.length + 1);
  });

  test("is complete at the limit, and cut one byte above it", () => {
    const sized = (extra: number) => {
      const steps = Array.from({ length: 700 }, (_, i) => step(`entity ${i}`));
      return formatPlansAsMarkdown([planned([...steps, step("x".repeat(extra))])], "plan");
    };
    const room = LIMITS.commentBytes - bytes(sized(1));
    expect(bytes(sized(1 + room))).toBe(LIMITS.commentBytes);
    expect(sized(1 + room)).not.toContain("do not fit");
    expect(sized(2 + room)).toContain("do not fit");
    expect(bytes(sized(2 + room))).toBeLessThanOrEqual(LIMITS.commentBytes);
  });

  test("of many files is cut too, after the summary", () => {
    const inEntity = { objectType: "entityAttribute", attributeKey: "c" } as const;
    const { entityKey, ...type } = step("t", { objectType: "type", typeKey: "t" });
    const steps = [step(String(entityKey)), step("b", inEntity), type];
    const runs = Array.from({ length: 900 }, (_, i) => planned(steps, `models/${i}.yaml`));
    const text = formatPlansAsMarkdown(runs, "plan");
    expect(text.startsWith("## Plan: 900 files\n")).toBe(true);
    expect(text).toMatch(
      /^### `models\/0\.yaml` → `crm`: 3 steps: .*\| update attribute `b\.c` \|.*\| update type `t` \|/ms,
    );
    expect(text).toMatch(/^\| `models\/0\.yaml` \| `crm` \| .*\| cosmetic \| 3 \|/m);
    expect(bytes(text)).toBeLessThanOrEqual(LIMITS.commentBytes);
    const more = formatPlansAsMarkdown([...runs, ...runs, ...runs, ...runs], "apply");
    expect(more.startsWith("## Applied: 3600 files\n")).toBe(true);
    expect(bytes(more)).toBeLessThanOrEqual(LIMITS.commentBytes);
  });
});
