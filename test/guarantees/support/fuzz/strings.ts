/** Names that no parameter has and that every object seems to have. */
export const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"];

/** Texts that break careless programs: each row is a way to be careless. All of them are well-formed Unicode. */
const GROUPS: { readonly [carelessness: string]: readonly string[] } = {
  "names of the object model": [...PROTOTYPE_NAMES, "__proto__.polluted", "__defineGetter__", "then", "toJSON"],
  "words with a meaning elsewhere": ["undefined", "null", "NULL", "true", "false", "NaN", "[object Object]"],
  numbers: ["0", "-0", "00", "1e400", "1E+2", "0x10", "1_000", "1,000", ".5", "9007199254740993", "٣", "１２"],
  SQL: ["' OR '1'='1", "'; DROP TABLE models; --", '" or ""="', "%' AND 1=0 --", "\\'; --"],
  "full-text queries": ["*", "a*", "^a", "a AND", "NOT", "NEAR(a b)", "a : b", "{a} : b", "-a", "a + b"],
  "expressions of DynamoDB": ["attribute_exists(pk)", ":v0 OR attribute_not_exists(pk)", "#n0 = :v0", "$[0].a"],
  "separators of stored keys": ["#", "##", "model#", "a#b#c", "log#00000000-0000-7000-8000-000000000000"],
  "beginnings of refs": ["key:", "id:", "key:key:x", "id:00000000-0000-0000-0000-000000000000", "key:a/b"],
  "paths and pointers": ["~", "~0~1", "/", "//", "..", "../../etc/passwd", "..\\..\\windows", "file:///etc/passwd"],
  markup: ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "javascript:alert(1)", "<!--", "]]>", "&#0;"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is meant as it stands
  "templates and commands": ["{{7*7}}", "${7*7}", "<%= 7*7 %>", "$(id)", "`id`", "&& id", "%s%n", "=1+1", "@SUM(1)"],
  "line ends": ["a\nb", "a\rb", "a\r\nX-Injected: 1", "a\u2028b", "a\u2029b", "a\u0085b", "\t", "\v\f"],
  "control characters": ["\u0000", "a\u0000b", "\u0001\u0002", "\u001b[31mred\u001b[0m", "\u007f", "\u0080", "\u0008"],
  "visible space": [" ", "   ", " a ", "\u00a0", "\u3000", "\u2003x", "\u1680"],
  "invisible space": ["\u200b", "a\u200db", "\u2060", "\ufeff", "\ufeffa", "\u180e", "\u00ad"],
  "writing directions": ["\u202eevil", "\u202dabc\u202c", "\u2066a\u2069", "\u200f", "שלום", "abc אבג def", "\u061c"],
  "letters in several forms": ["é", "e\u0301", "ﬀ", "ß", "İ", "ı", "Å", "\u212b", "Ω", "а", "Ⅷ", "Z\u0351\u036b\u0343"],
  "letters of several bytes": ["日本語", "ไทย", "🙂", "👨‍👩‍👧‍👦", "🇩🇪", "𝒳𝒴", "\u{10ffff}"],
  "replaced characters": ["\ufffd", "\uffff", "\ufdd0"],
  "ends of quotes": ['"', "'", "\\", "\\\\", '\\"', "`", "''", '""'],
  "JSON and its escapes": ["\\u0000", "\\ud800", "\\n", '{"a":1}', "[]", "{}"],
};

export const NAUGHTY: readonly string[] = [...new Set(Object.values(GROUPS).flat())];
