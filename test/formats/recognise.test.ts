import { describe, expect, test } from "vitest";
import { SOURCE_FORMAT_NAMES } from "../../shared/domain/values/source-formats.ts";
import { recogniseFormat } from "../../shared/formats/recognise.ts";
import { loadReader } from "../../shared/formats/source-readers.ts";
import { problemOf, readContent } from "./reading.ts";

describe("a source", () => {
  test("that names its format has that format, whatever else it resembles", () => {
    const source = { $schema: "urn:metaction:model:2", key: "a", fields: [], properties: {} };
    const { others, ...chosen } = recogniseFormat(source);
    expect(chosen).toMatchObject({ format: "metaction", sure: "certain", because: "its $schema names that format" });
    expect(others.map(({ format }) => format)).toContain("frictionless");
  });

  test("is read in the given format, where possible", () => {
    const avro = { type: "record", name: "User", namespace: "crm", fields: [{ name: "email", type: "string" }] };
    const { format, because, others } = recogniseFormat(avro, "frictionless");
    expect([format, because]).toEqual([
      "frictionless",
      "format says so; it has fields and no members of another format",
    ]);
    expect(others.map(({ name }) => name)).toEqual(["an Avro schema"]);
  });

  test("that cannot be read in the given format is refused with the name of the detected format", async () => {
    const problem = await problemOf(readContent({ fields: [{ name: "a" }] }, { format: "medatarun" }));
    expect(problem.message).toBe(
      "the source cannot be imported: it is a Table Schema (frictionless), because it has fields and no members of another format, and cannot be read as medatarun; omit the format, or use that one",
    );
  });

  test.each([
    ["a Protocol Buffers file", 'syntax = "proto3";'],
    ["a GraphQL schema", "type A { b: Int }"],
    ["an HTML or XML page", "<xs:schema/>"],
  ])("in an unsupported text format is refused with its name: %s", async (name, content) => {
    const problem = await problemOf(readContent(content));
    expect(problem.code).toBe("source_not_recognised");
    expect(problem.message).toContain(`it is ${name}`);
  });

  test("in an unknown format is refused", async () => {
    for (const content of ["name,title\n1,2", "hello", "[1", "- 1\n- 2"]) {
      expect((await problemOf(readContent(content))).code, content).toBe("source_not_recognised");
    }
  });
});

test("every format has a reader", async () => {
  for (const format of SOURCE_FORMAT_NAMES) expect(await loadReader(format), format).toBeTypeOf("function");
});
