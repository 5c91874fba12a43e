import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { FORBIDDEN_NAMES, FREE_KEY, USERNAME } from "../refs.ts";
import { CONTROLS, NOT_BLANK_PATTERN } from "../text/characters.ts";
import { createRefType } from "./ref-types.ts";
import {
  defineChoiceType,
  defineTextType,
  defineValueType,
  describeJsonType,
  expectType,
  limitBytes,
  limitCharacters,
  replaceJsonSchema,
  requireText,
  type ValueType,
} from "./value-type.ts";

const notBlank = requireText((s) => s.trim() !== "", "must not be blank");

/** Creates the type of a key of printable ASCII characters. */
export const createKeyType = (id: string, noun: string) =>
  defineTextType(
    id,
    `Key of ${noun}: 1 to ${LIMITS.keyCharacters} printable ASCII characters without \\ ' " and \`; verbatim and case-sensitive.`,
    () => [z.regex(FREE_KEY, { error: (issue) => describeInvalidKey(String(issue.input)) })],
  );

function describeInvalidKey(text: string) {
  return `${JSON.stringify(text)} is not a valid key; use 1 to ${LIMITS.keyCharacters} printable ASCII characters without \\ ' " and \``;
}

/** Returns a sentence if a text is not a valid key. */
export function findKeyFault(text: string): string | undefined {
  return FREE_KEY.test(text) ? undefined : describeInvalidKey(text);
}

export const modelKey = createKeyType("ModelKey", "a model, unique in the instance");
export const typeKey = createKeyType("TypeKey", "a type, unique in its model");
export const entityKey = createKeyType("EntityKey", "an entity, unique in its model");
export const attributeKey = createKeyType("AttributeKey", "an attribute, unique in its entity or relationship");

/** Jobs have no key, so only the scheme `id` finds one. */
export const jobRef = createRefType("JobRef", "a job; it has no key");

/** Runs have no key, either. */
export const runRef = createRefType("RunRef", "a run; it has no key");

/** Id of a request, as the history shows it. */
export const requestId = defineTextType("RequestIdentifier", "The id of a request, as the history shows it.", () => [
  notBlank,
  limitCharacters(LIMITS.keyCharacters),
]);

export const singleLine = defineTextType(
  "TextSingleLine",
  `One line of text, at most ${LIMITS.nameCharacters} characters, not blank, without ${CONTROLS}.`,
  () => [
    notBlank,
    limitCharacters(LIMITS.nameCharacters),
    requireText((s) => !/[\r\n\u2028\u2029]/.test(s), "must be one line"),
    z.meta({ pattern: NOT_BLANK_PATTERN.replaceAll("[^", "[^\\r\\n") }),
  ],
);

export const markdown = defineTextType(
  "TextMarkdown",
  `Markdown text, at most ${LIMITS.descriptionBytes} bytes in UTF-8, not blank, without ${CONTROLS}.`,
  () => [notBlank, limitBytes(LIMITS.descriptionBytes), z.meta({ pattern: NOT_BLANK_PATTERN })],
);

const WEB_SCHEMES = new Set(["http:", "https:", "ftp:", "mailto:"]);

export const link = defineTextType(
  "Link",
  `An absolute URL (http, https, ftp or mailto) without a user name or password, at most ${LIMITS.urlCharacters} characters.`,
  () => [
    limitCharacters(LIMITS.urlCharacters),
    requireText((s) => isLink(s), "is not a valid absolute URL with http, https, ftp or mailto"),
    requireText((s) => !holdsCredentials(s), CREDENTIALS),
    z.meta({ format: "uri" }),
    z.overwrite((url: string) => url.trim()),
  ],
  { blankIsAbsent: true },
);

/** Tests for an absolute URL with a scheme that is allowed in links. */
export function isLink(url: string): boolean {
  const parts = URL.parse(url.trim());
  return parts !== null && WEB_SCHEMES.has(parts.protocol);
}

/** Tests for a URL with a user name or a password, which would be visible to everybody. */
export function holdsCredentials(url: string): boolean {
  const parts = URL.parse(url.trim());
  return parts !== null && (parts.username !== "" || parts.password !== "");
}

/** Message about a URL with credentials. It does not repeat the URL. */
export const CREDENTIALS = "contains a user name or password, which would be visible to everybody; remove it";

/** Origins may have schemes that are not allowed in links. Only their length and white space are checked. */
export const uri = defineTextType(
  "Uri",
  `A URI of any scheme without a user name or password, at most ${LIMITS.urlCharacters} characters.`,
  () => [
    requireText(
      (s) => s !== "" && !/\s/.test(s) && s.length <= LIMITS.urlCharacters,
      `must be a URI without white space of at most ${LIMITS.urlCharacters} characters`,
    ),
    requireText((s) => !holdsCredentials(s), CREDENTIALS),
  ],
);

/** Label of a source. Origins start with it. */
export const sourceLabel = defineTextType(
  "SourceLabel",
  `The label of a source: text without white space, \`#\`, user name or password, at most ${LIMITS.urlCharacters} characters, and not ${FORBIDDEN_NAMES.join(" or ")}.`,
  () => [
    requireText(
      (s) => s !== "" && !/[\s#]/.test(s) && s.length <= LIMITS.urlCharacters,
      `must be a text without white space and # of at most ${LIMITS.urlCharacters} characters`,
    ),
    requireText((s) => !holdsCredentials(s), CREDENTIALS),
    // A model stores the labels of its sources as member names.
    requireText((s) => !FORBIDDEN_NAMES.includes(s), "is a reserved name; use another label"),
  ],
);

export const modelVersion = defineTextType(
  "ModelVersion",
  "A semantic version MAJOR.MINOR.PATCH, with an optional pre-release and no build label.",
  () => [
    limitCharacters(LIMITS.versionCharacters),
    z.regex(VERSION, {
      error: (issue) => `${JSON.stringify(issue.input)} is not a valid version; use MAJOR.MINOR.PATCH[-pre.release]`,
    }),
  ],
);

/** `system` for a model of one system, `canonical` for the agreed model. */
export type Authority = "system" | "canonical";

export const modelAuthority = defineChoiceType(
  "ModelAuthority",
  "The authority of a model: `system` for the model of one system, `canonical` for the agreed model.",
  ["system", "canonical"],
);

export const flag = defineValueType<boolean>({
  id: "Boolean",
  json: "boolean",
  description: "true or false.",
  schema: () => z.boolean(expectType("true or false")),
});

export const username = defineTextType(
  "Username",
  "3 to 32 characters: a lower-case letter, then letters and digits, with single . _ or - between them.",
  () => [
    z.minLength(3, { error: "shorter than 3 characters" }),
    limitCharacters(LIMITS.usernameCharacters),
    z.regex(USERNAME, {
      error: "must be a lower-case letter, then lower-case letters and digits with single . _ or - between them",
    }),
  ],
);

export const loginName = defineTextType(
  "LoginName",
  `The name for signing in, at most ${LIMITS.loginNameCharacters} characters without white space: a username, or the name that a user pool accepts, such as an e-mail address.`,
  () => [
    limitCharacters(LIMITS.loginNameCharacters),
    // The characters that InitiateAuth of Amazon Cognito allows in a username.
    requireText((s) => /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u.test(s), "must not contain white space or control characters"),
    // Not every regular expression dialect supports Unicode classes.
    z.meta({ pattern: "^[^\\s\\x00-\\x1f\\x7f-\\x9f]+$" }),
  ],
);

export const fullname = defineTextType(
  "Fullname",
  `A person's name, at most ${LIMITS.fullnameCharacters} characters: letters, spaces and - ' . , and not blank.`,
  () => [
    notBlank,
    limitCharacters(LIMITS.fullnameCharacters),
    requireText((s) => /^[\p{L}\p{M} \-'.,]+$/u.test(s), "may contain only letters, spaces and - ' . ,"),
    z.meta({ pattern: NOT_BLANK_PATTERN }),
  ],
);

const createSecretType = (id: string, description: string) =>
  defineTextType(id, description, () => [limitBytes(LIMITS.passwordBytes)], { secret: true });

export const password = createSecretType(
  "PasswordClear",
  `A password in clear text, at most ${LIMITS.passwordBytes} bytes in UTF-8; never stored, logged or repeated.`,
);
export const bootstrapSecret = createSecretType(
  "BootstrapSecret",
  `The one-time secret that the service prints or stores at its first start, at most ${LIMITS.passwordBytes} bytes.`,
);

export const location = defineTextType(
  "Location",
  `An http:// or https:// URL, at most ${LIMITS.urlCharacters} characters.`,
  () => [
    limitCharacters(LIMITS.urlCharacters),
    z.regex(/^[hH][tT]{2}[pP][sS]?:\/\/[^\s]+$/, { error: "must be an http:// or https:// URL" }),
    z.meta({ pattern: "^[hH][tT]{2}[pP][sS]?://[^\\s\\x00\\x1b\\x80-\\x9f]+$" }),
  ],
);

/** Content of a source: the object of a JSON file, or the text of a file. */
export type SourceContent = string | Readonly<Record<string, unknown>>;

export const sourceContent = defineValueType<SourceContent>({
  id: "SourceContent",
  json: "any",
  description: "The content of a source: a JSON object, or the text of a file in a supported format.",
  schema: () =>
    z.unknown().check(
      z.refine(
        (value) => typeof value === "string" || describeJsonType(value) === "an object",
        expectType("a JSON object or a text"),
      ),
      // Generated clients would have a separate class for a union.
      replaceJsonSchema({}),
    ) as z.ZodMiniType<SourceContent>,
});

/** Creates the type of a whole number from 1 to `most`. */
export const createNumberType = (id: string, description: string, most: number) =>
  defineValueType<number>({
    ...{ id, json: "number", description },
    schema: () =>
      z
        .int({ error: "expected a whole number" })
        .check(z.minimum(1, { error: "must be at least 1" }), z.maximum(most, { error: `must be at most ${most}` })),
  });

export const pageLimit = createNumberType(
  "PageLimit",
  `The maximum number of rows of a page, 1 to ${LIMITS.pageRows}.`,
  LIMITS.pageRows,
);

/** Message about a cursor that no list returned. */
export const INVALID_CURSOR =
  "is not a valid cursor of this list; use the cursor of the Link header of the previous page";

/** Parsed to the sort key after which the page starts. */
export const cursor = defineTextType(
  "Cursor",
  "The start of the next page, from the `Link` header of the previous page.",
  () => [
    z.maxLength(400, { error: INVALID_CURSOR, abort: true }),
    z.refine((text) => formatCursor(parseCursor(text)) === text, { error: INVALID_CURSOR }),
    z.meta({ pattern: "^[A-Za-z0-9_-]*$" }),
    z.overwrite(parseCursor),
  ],
);

/** Returns the cursor for the rows after a sort key, as in the `Link` header. */
export function formatCursor(sortKey: string): string {
  return Buffer.from(sortKey, "utf8").toString("base64url");
}

function parseCursor(text: string) {
  return Buffer.from(text, "base64url").toString("utf8");
}

/** Creates the type of a list of values of one type, with `least` to `most` members. */
export function createListType<T>(item: ValueType<T>, most: number, least = 0): ValueType<readonly T[]> {
  return defineValueType<readonly T[]>({
    id: `List<${item.id}>`,
    json: "array",
    item,
    description: `A list of ${item.id}, ${least > 0 ? `${least} to ${most}` : `at most ${most}`}. Each: ${item.description}`,
    schema: () =>
      z
        .array(item.schema(), expectType("a list"))
        .check(
          z.maxLength(most, { error: `has more than ${most} members` }),
          ...(least > 0 ? [z.minLength(least, { error: `has fewer than ${least} members` })] : []),
        ),
  });
}

/** Creates the type of an ordered pair of values of one type. */
export function createPairType<T>(item: ValueType<T>): ValueType<readonly [T, T]> {
  const createPair = () =>
    z.array(item.schema(), expectType("a list of two")).check(
      z.refine<unknown[]>((list) => list.length === 2, { error: "expected a list of two" }),
      z.meta({ minItems: 2, maxItems: 2 }),
    );
  return defineValueType<readonly [T, T]>({
    id: `Pair<${item.id}>`,
    json: "array",
    description: `A list of two ${item.id}. Each: ${item.description}`,
    // A list of two is a pair, which zod's types do not express.
    schema: () => createPair() as z.ZodMiniType<unknown> as z.ZodMiniType<readonly [T, T]>,
  });
}

/** Version of Semantic Versioning 2.0 with an optional pre-release and without build labels. */
const VERSION =
  /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?$/;

export const FIRST_VERSION = "0.0.1";

/** Tests whether a text is a valid version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Compares versions by Semantic Versioning 2.0, section 11. Negative if `a` comes before `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  for (const [i, n] of left.numbers.entries()) {
    const other = right.numbers[i] ?? 0;
    if (n !== other) return n - other;
  }
  // A version with a pre-release comes before the one without.
  if (left.labels.length === 0 || right.labels.length === 0) return right.labels.length - left.labels.length;
  for (const [i, label] of left.labels.entries()) {
    const other = right.labels[i];
    if (other === undefined) return 1;
    const order = compareLabels(label, other);
    if (order !== 0) return order;
  }
  return left.labels.length - right.labels.length;
}

function parseVersion(version: string): { readonly numbers: readonly number[]; readonly labels: readonly string[] } {
  const dash = version.indexOf("-");
  const core = dash < 0 ? version : version.slice(0, dash);
  return { numbers: core.split(".").map(Number), labels: dash < 0 ? [] : version.slice(dash + 1).split(".") };
}

/** Compares pre-release labels: numbers by value and before words, words in ASCII order. */
function compareLabels(a: string, b: string) {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
