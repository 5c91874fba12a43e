import { expect, test } from "vitest";
import { foldText } from "../../shared/domain/text/characters.ts";

test.each([
  ["Crème Brûlée", "creme brulee"],
  ["e\u0301", "e"],
  ["STRASSE straße STRAẞE", "strasse strasse strasse"],
  ["ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"],
  ["İstanbul ISPARTA ısı", "istanbul isparta isi"],
  ["Ω K", "ω k"],
  ["ﬁ ǅ", "fi ǆ"],
  ["A\u0000B", "ab"],
  ["é\u0000B", "eb"],
  ["\u0301", ""],
  ["1_%\\", "1_%\\"],
])("%j is %j", (text, plain) => expect(foldText(text)).toBe(plain));

test("folding is idempotent, and equal for both cases of a letter", () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    // Half of a pair is no character, and one mark has an upper case that is a letter.
    if (code === 0x345 || (code >= 0xd800 && code < 0xe000)) continue;
    const text = String.fromCodePoint(code);
    const bare = text.normalize("NFD").replaceAll("\u0345", "");
    const cases = [bare, bare.toLowerCase(), bare.toUpperCase()];
    if (cases.every((other) => other === text)) continue;
    const plain = foldText(text);
    if ([plain, ...cases].some((other) => foldText(other) !== plain)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
