import { Marked } from "marked";
import { describe, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import {
  type DifferenceFormat,
  EXPORT_FORMAT_NAMES,
  type ExportFormat,
} from "../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { type Written, writeWithWarnings } from "./reading.ts";
import { FOREIGN_READERS } from "./writing/foreign-readers.ts";
import { createMarkedModel, listChanges, type Mark, toKeyText } from "./writing/marked-model.ts";
import type { ForeignFile } from "./writing/sql-lexer.ts";

/** Texts with the signs that separate, quote or comment in at least one of the formats. */
const HOSTILE = [
  `<b onload="x">'&amp;`,
  ...['"; DROP TABLE x; --', "'); --", `\${x}\`#{y}\``, "]]>-->*/", "*_~[a](b)_*", ": - # &a !b % @c"],
  ...["{{x}} {% y %}", ',"x",=1+1', '\\n\\"\\', "''' \"\"\" ```"],
  "a\nb: c\n  - d\n# e\n====",
  "1. x\n```\n<b>",
  "\\<img src=x onerror=alert(1)>",
  "\\\\\\<img src=x onerror=alert(1)>",
  "\\|<img src=x onerror=alert(1)>|",
  "`\\`<img src=x onerror=alert(1)>",
  "a | b\n- | -\n`\\|<img src=x onerror=alert(1)>`",
  "[a]: <\\> \n<img src=x onerror=alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "<!-- -->\\<img\nsrc=x onerror=alert(1)>",
];

/** Readers of Markdown make links of addresses and drop the signs after them, so that only the structure is compared. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["<https://example.org/\\><img src=x onerror=alert(1)>"]);

const DATABASE_TYPES = ["varchar", "integer"];

const TYPES = [{ typeKeys: [] }, { typeKeys: DATABASE_TYPES }];

/** Diagrams show the name of an object, and its key only where it has no name. */
const DIAGRAMS: ReadonlySet<ExportFormat> = new Set(["mermaid", "graphviz", "svg"]);

function isWarned({ warned }: Written, pointer: string) {
  return warned.some(
    (one) => one !== "" && (one === pointer || pointer.startsWith(`${one}/`) || one.startsWith(`${pointer}/`)),
  );
}

const written = new Map<string, ReturnType<typeof writeEachChange>>();

/** Writes a model with a change of each member; once for a format and types, since two tests compare the files. */
function writeChanges(format: ExportFormat, typeKeys: readonly string[]): ReturnType<typeof writeEachChange> {
  const key = [format, ...typeKeys].join();
  const changes = written.get(key) ?? writeEachChange(format, typeKeys);
  written.set(key, changes);
  return changes;
}

async function writeEachChange(format: ExportFormat, typeKeys: readonly string[]) {
  const model = createMarkedModel({ hostile: "", typeKeys });
  const whole = await writeWithWarnings(model.document, format);
  const changes: { pointer: string; isWritten: boolean; isLost: boolean }[] = [];
  for (const { pointer, document } of listChanges(model)) {
    if (pointer.endsWith("/origin")) continue;
    const changed = await writeWithWarnings(document, format);
    const isLost = isWarned(whole, pointer) || isWarned(changed, pointer);
    changes.push({ pointer, isWritten: changed.content !== whole.content, isLost });
  }
  return changes;
}

/** Origins say where a model was imported from, and are not exported. Readers derive the keys of roles. */
function isPromised({ pointer, kind }: Pick<Mark, "pointer"> & Partial<Mark>, format: ExportFormat) {
  if (pointer.endsWith("/origin")) return false;
  if (kind === "key" && DIAGRAMS.has(format)) return false;
  if (kind === "key" && format === "frictionless" && pointer.includes("/roles/")) return false;
  // A key of one column and the constraint `unique` have the same mark.
  if (format === "mermaid" && /unique$|participants$/.test(pointer)) return false;
  // These descriptions are Markdown, which the file contains as it is.
  return format !== "markdown" || kind !== "description" || /attributes|types|businessKeys|[tT]ag/.test(pointer);
}

const onOneLine = (text: string) => text.replace(/\s+/g, " ");

/** Texts of a file on one line. In a table cell of Markdown, a pipe with and without a backslash are the same. */
function joinTexts({ texts }: ForeignFile, format: ExportFormat): string {
  const all = onOneLine(texts.join("\u0000"));
  return format === "markdown" ? all.replace(/\\+\|/g, "|") : all;
}

function hasText(all: string, { text }: Mark, format: ExportFormat) {
  const forms = [text, JSON.stringify(text).slice(1, -1)].map(onOneLine);
  return forms.some((form) => all.includes(format === "markdown" ? form.replace(/\\+\|/g, "|") : form));
}

describe.each(EXPORT_FORMAT_NAMES)("a model written as %s", (format) => {
  test.each(TYPES)("has each member in the file, or a warning that it is not, with types $typeKeys", async (types) => {
    const silent = (await writeChanges(format, types.typeKeys)).filter((one) => !one.isWritten && !one.isLost);
    expect(silent.filter((one) => isPromised(one, format))).toEqual([]);
  });

  const texts = [...HOSTILE, ...AMBIGUOUS];
  test.each(texts)("holds the text %j in every member, escaped or with a warning", async (hostile) => {
    for (const types of TYPES) {
      const { document, marks } = createMarkedModel({ hostile, ...types });
      const written = await writeWithWarnings(document, format);
      const file = await FOREIGN_READERS[format](written.content);
      const all = joinTexts(file, format);
      const lost = marks.filter(
        (one) => isPromised(one, format) && !hasText(all, one, format) && !isWarned(written, one.pointer),
      );
      if (!AMBIGUOUS.has(hostile)) expect(lost).toEqual([]);
      const plain = await writeWithWarnings(
        createMarkedModel({ hostile: toPlain(hostile), ...types }).document,
        format,
      );
      const wanted = describeStructure(await FOREIGN_READERS[format](plain.content), format);
      expect(describeStructure(file, format)).toEqual(wanted);
    }
  });
});

/** Returns the kind and member of a place, such as `attributes.name`, with single constraints and without names of properties. */
function toMember(pointer: string): string {
  const steps = pointer.split("/").filter((step) => step !== "" && !/^\d+$/.test(step));
  const constraint = steps.indexOf("constraints");
  const last = constraint >= 0 ? steps.slice(constraint) : steps.slice(-1);
  if (steps.includes("properties")) return [...steps.slice(0, steps.indexOf("properties")), "properties"].join(".");
  return [...steps.slice(0, constraint >= 0 ? constraint : -1), ...last].join(".");
}

/** Says of each member whether a file of the format has it, of all objects of the kind. */
async function listLosses(format: ExportFormat): Promise<ReadonlyMap<string, string>> {
  const cells = new Map<string, Set<string>>();
  for (const { pointer, isWritten, isLost } of await writeChanges(format, DATABASE_TYPES)) {
    const cell = isLost ? (isWritten ? "otherwise" : "warned") : isWritten ? "yes" : "same";
    const member = toMember(pointer);
    cells.set(member, new Set([...(cells.get(member) ?? []), cell]));
  }
  return new Map([...cells].map(([member, found]) => [member, [...found].sort().join(", ")]));
}

test("the members that each format loses equal the stored ones", async () => {
  const losses = await Promise.all(EXPORT_FORMAT_NAMES.map(listLosses));
  const members = [...(losses[0]?.keys() ?? [])];
  const lines = [
    "# What each format keeps",
    "",
    "Written by `writers-contract.test.ts`, which changes each member of a model and compares the files. `yes`: the file has",
    "it. `otherwise`: the file has it in another form, with a warning. `warned`: it is not in the file, and a warning says so.",
    "`same`: another member has the same sign. Two words: it depends on the object, such as the type of an attribute.",
    "`vitest -u` renews this page; a changed cell is a decision.",
    "",
    `| member | ${EXPORT_FORMAT_NAMES.join(" | ")} |`,
    `|---|${EXPORT_FORMAT_NAMES.map(() => "---|").join("")}`,
    ...members.map((member) => `| \`${member}\` | ${losses.map((cells) => cells.get(member)).join(" | ")} |`),
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot("writing/losses.md");
});

/** Texts in a difference: those above, a mention of everybody, and statements on lines of their own. */
const DIFFERENT = [...HOSTILE, "@all #1", "x\nDROP TABLE x;\n--", "*/ x /*"];

/** Writes the difference between two models with the same keys, in which every text and number differs. */
async function writeDifference(hostile: string, format: DifferenceFormat): Promise<string> {
  const { document: left } = createMarkedModel({ hostile, typeKeys: DATABASE_TYPES });
  const right: ModelDocument = JSON.parse(JSON.stringify(left), (member, value) => {
    if (typeof value === "number") return value + 1;
    return typeof value === "string" && member !== "key" && /^m\d+q[\s\S]*z$/.test(value)
      ? `${value.slice(0, -1)}y`
      : value;
  });
  const differences = compareModels(left, right, { sameModel: true, scope: "complete" });
  expect(differences.length).toBeGreaterThan(20);
  const names = [left.name, right.name] as const;
  return (await createExporter().writeDifference({ left, right, names, differences }, format)).content;
}

describe("the difference of two models", () => {
  test("lists the model, entities, relationships, types and tags in this order, with the old and new values", async () => {
    const report = await writeDifference("", "markdown");
    expect([...new Set(report.match(/(?<=^### )\w+/gm))]).toEqual(["Model", "Entity", "Relationship", "Types", "Tags"]);
    expect(report).toMatch(/`description` `(m\d+qw\d+)z` → `\1y`; .*`properties\.m\d+qw\d+z` `(m\d+qw\d+)z` → `\2y`/);
  });

  test("has a property that only one of the models has as nothing on the other side", async () => {
    const { document: right } = createMarkedModel({ hostile: "" });
    const { properties: _, ...left } = right;
    const differences = compareModels(left, right, { sameModel: true, scope: "complete" });
    const models = { left, right, names: ["a", "b"], differences } as const;
    const { content } = await createExporter().writeDifference(models, "markdown");
    expect(content).toMatch(/`properties\.\w+` nothing → `m/);
  });

  test.each(
    DIFFERENT,
  )("with the text %j has the same structure as with plain words, and mentions nobody", async (hostile) => {
    const read = async (text: string) => new Marked().parse(await writeDifference(text, "markdown"), { async: false });
    const [page, plain] = [await read(hostile), await read(toPlain(hostile))];
    // Comments separate `@` from the name after it.
    const describePage = (html: string) => [...new Set(html.replaceAll("@<!-- -->", "").match(/<[^>]+>/g))].sort();
    expect(describePage(page)).toEqual(describePage(plain));
    expect(page.replace(/<code>[\s\S]*?<\/code>/g, "")).not.toMatch(/(^|\W)@\w/);
  });

  test.each(
    DIFFERENT,
  )("with the text %j is a migration with the same statements as with plain words", async (hostile) => {
    const read = async (text: string) =>
      (await FOREIGN_READERS.postgresql(await writeDifference(text, "postgresql"))).structure;
    expect(await read(hostile)).toEqual(await read(toPlain(hostile)));
  });
});

function toPlain(hostile: string): string {
  return hostile.replace(/\s+/g, " ").replace(/[ -~]/g, (sign) => (toKeyText(sign) === "" ? "é" : "x"));
}

function describeStructure({ structure }: ForeignFile, format: ExportFormat): readonly string[] {
  switch (format) {
    case "html":
    case "svg":
      // Long texts of diagrams have a title; which are long depends on the letters.
      return [...new Set(structure)].filter((one) => !/^\/?title/.test(one)).sort();
    case "markdown":
      return structure.filter((one) => /^(h\d|img|script|<)/.test(one));
    case "frictionless":
    case "jsonschema":
    case "odcs":
    case "dbt":
    case "avro":
      // Values are serialized by a library, and which members there are depends on names and patterns.
      return [];
    default:
      return structure;
  }
}
