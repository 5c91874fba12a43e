import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { findJsonTextFault } from "../../shared/domain/text/json-faults.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const object = (members: number) => `{${Array.from({ length: members }, (_, i) => `"m${i}":0`).join(",")}}`;

/** A JSON value as it is written: objects with members of any names, each text with its own escapes. */
type Written =
  | { readonly text: string }
  | { readonly items: readonly Written[] }
  | { readonly members: readonly (readonly [name: string, escaped: string, value: Written])[] };

const escaped = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) =>
      [...flags.keys()]
        .map((i) =>
          flags[i]
            ? `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`
            : JSON.stringify(text[i] ?? "").slice(1, -1),
        )
        .join(""),
    );

const name = fc.oneof(
  fc.constantFrom(
    ...["a", "b", "", "a/b", "~", '"', "\\", "\\\\", "{", "}", ",", ":", "[", "é", "__proto__", "constructor"],
  ),
  fc.string({ maxLength: 4 }),
);
const named = name.chain((text) => escaped(text).map((written) => [text, written] as const));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc
      .oneof(
        fc.constantFrom("0", "-1.5e3", "true", "null"),
        named.map(([, written]) => `"${written}"`),
      )
      .map((text) => ({ text })),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => ({ items })),
    fc
      .array(fc.tuple(named, tie("value")), { maxLength: 5 })
      .map((members) => ({ members: members.map(([[text, written], inner]) => [text, written, inner] as const) })),
  ),
}));

function print(written: Written, space: string): string {
  if ("text" in written) return written.text;
  if ("items" in written) return `[${space}${written.items.map((item) => print(item, space)).join(`${space},`)}]`;
  const members = written.members.map(
    ([, escapedName, inner]) => `${space}"${escapedName}"${space}:${print(inner, space)}`,
  );
  return `{${members.join(",")}${space}}`;
}

/** The JSON pointer of the first member, as the text is read, whose object has one of that name already. */
function firstTwin(written: Written, at = ""): string | undefined {
  if ("text" in written) return undefined;
  const step = (s: string | number) => `${at}/${String(s).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if ("items" in written) {
    for (const [i, item] of written.items.entries()) {
      const found = firstTwin(item, step(i));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const names: string[] = [];
  for (const [text, , inner] of written.members) {
    if (names.includes(text)) return step(text);
    names.push(text);
    const found = firstTwin(inner, step(text));
    if (found !== undefined) return found;
  }
  return undefined;
}

describe("duplicate member names", () => {
  test("are found in any text, at the position of the second, with any escapes in the names", () => {
    fc.assert(
      fc.property(value, fc.constantFrom("", " ", "\n\t"), (written, space) => {
        const text = print(written, space);
        JSON.parse(text);
        expect(findJsonTextFault(text)?.pointer).toBe(firstTwin(written));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"a":1,"\\u0061":2}', "/a"],
    ['{"":1,"b":{"c":[{"x":1},{"y":1,"z":{},"y":2}]}}', "/b/c/1/y"],
    ['{"\\"":1,"\\u0022":2}', '/"'],
    ['{"a":"b","b":"a","c":{"a":1}}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":"\\\\","b":"\\\\\\"","c":1}', undefined],
    ['{"A":1,"a":2}', undefined],
  ])("%s: %s", (text, pointer) => expect(findJsonTextFault(text)?.pointer).toBe(pointer));
});

describe("depth", () => {
  test.each([LIMITS.jsonDepth - 1, LIMITS.jsonDepth])("%i levels are accepted", (levels) =>
    expect(findJsonTextFault(nested(levels))).toBeUndefined());

  test.each([LIMITS.jsonDepth + 1, 5_000_000])("%i levels are refused, of objects and lists", (levels) => {
    const { detail } = findJsonTextFault(nested(levels)) ?? {};
    expect(detail).toBe(`is nested deeper than ${LIMITS.jsonDepth} levels`);
    expect(findJsonTextFault('{"a":'.repeat(levels))?.detail).toBe(detail);
  });

  test("does not count brackets inside strings, nor adjacent lists", () => {
    expect(findJsonTextFault(JSON.stringify("[{".repeat(100)))).toBeUndefined();
    expect(findJsonTextFault(`[${'"\\"[[", '.repeat(100)}[]]`)).toBeUndefined();
    expect(findJsonTextFault(`[${"[],".repeat(100)}[]]`)).toBeUndefined();
  });
});

describe("jsonMembers", () => {
  const most = LIMITS.jsonMembers;
  const tooMany = `has more than ${most} members or list items; split it into several requests`;

  test.each([
    ["members of one object", object],
    ["items of one list", (count: number) => `[${"0,".repeat(count - 1)}0]`],
    ["items in lists of one", (count: number) => `[${"[0],".repeat(count / 2 - 1)}[0]]`],
    ["empty objects", (count: number) => `[${"{},".repeat(count - 1)}{}]`],
  ])("%s up to the limit are accepted, and one more is refused", (_, text) => {
    expect(findJsonTextFault(text(most))).toBeUndefined();
    expect(findJsonTextFault(text(most + 2))?.detail).toBe(tooMany);
  });

  test("refuses at the position of the first excess member", () => {
    expect(findJsonTextFault(object(most + 1))?.detail).toBe(tooMany);
    expect(findJsonTextFault(`[${"0,".repeat(most)}0]`)?.detail).toBe(tooMany);
    // Members and items are counted apart: a list of objects of one member each may have as many.
    expect(findJsonTextFault(`[${'{"a":0},'.repeat(most - 1)}{"a":0}]`)).toBeUndefined();
  });

  test("ignores commas inside strings", () => expect(findJsonTextFault(`["${",".repeat(most * 2)}"]`)).toBeUndefined());
});

test("an invalid JSON text never breaks the scan", () => {
  const letters = fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "a", "\\u", " ", "0");
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 40 }), (parts) => {
      expect(["undefined", "string"]).toContain(typeof findJsonTextFault(parts.join(""))?.detail);
    }),
    { numRuns: 2_000 },
  );
});
