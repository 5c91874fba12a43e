import { expect, test } from "vitest";
import { parseSourceContent } from "../../ui/parts/formats/source-content.ts";

test.each([
  ["an object, behind a mark of the encoding", '\uFEFF {"a": 1}', { a: 1 }],
  ["a list, which only a text can be", '[{"type": "record"}]', '[{"type": "record"}]'],
  ["statements", "CREATE TABLE a (b int);", "CREATE TABLE a (b int);"],
  ["YAML", "models:\n  - name: a\n", "models:\n  - name: a\n"],
])("the content of a source is %s", (_, text, content) => expect(parseSourceContent(text)).toEqual(content));

test("a text that begins like JSON and is invalid is refused", () => {
  expect(() => parseSourceContent('{"a": ')).toThrow(SyntaxError);
});
