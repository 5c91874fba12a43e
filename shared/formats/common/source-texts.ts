import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { FIRST_VERSION, holdsCredentials, isLink, isVersion } from "../../domain/values/value-types.ts";
import { clip, type Diagnostics, quote } from "./diagnostics.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";

/** A text member of a source; undefined when it is absent or blank, or no text, which is a warning. */
export function readText(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const value = source[member];
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  diagnostics.warn(
    `/${member}`,
    "not_carried_over",
    `expected a text, got ${describeJsonType(value)}; it is not carried over`,
  );
  return undefined;
}

/** A title as a name: joined to one line and cut to the limit, each with a warning. */
export function readName(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics);
  if (text === undefined) return undefined;
  const line = joinLines(text);
  const name = shortenName(line);
  const changes = [
    ...(line === text ? [] : ["a name is one line, so its lines were joined"]),
    ...(name === line ? [] : [`a name has at most ${LIMITS.nameCharacters} characters, so it was shortened`]),
  ];
  if (changes.length > 0) diagnostics.warn(`/${member}`, "text_changed", changes.join("; "));
  return name;
}

/** Any text that is not blank as a legal name: one line, at most `LIMITS.nameCharacters`. */
export function toName(text: string): string {
  return shortenName(joinLines(text));
}

function joinLines(text: string): string {
  return /[\r\n\u2028\u2029]/.test(text) ? text.replace(/\s*[\r\n\u2028\u2029]\s*/g, " ").trim() : text;
}

function shortenName(line: string): string {
  return line.length <= LIMITS.nameCharacters ? line : `${clip(line, LIMITS.nameCharacters - 1).trimEnd()}…`;
}

/** A description, cut to the limit with a warning. */
export function readDescription(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics);
  if (text === undefined || Buffer.byteLength(text) <= LIMITS.descriptionBytes) return text;
  diagnostics.warn(
    `/${member}`,
    "text_changed",
    `a description has at most ${LIMITS.descriptionBytes} bytes, so it was shortened`,
  );
  // Three bytes for the ellipsis, and at most three of a character that was cut in the middle.
  const bytes = Buffer.from(text).subarray(0, LIMITS.descriptionBytes - 3);
  return `${bytes.toString().replace(/\uFFFD+$/, "")}…`;
}

/** A link; one that the service cannot keep is left out with a warning. */
export function readLink(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics)?.trim();
  if (text !== undefined && holdsCredentials(text)) return warnCredentials(member, diagnostics);
  if (text === undefined || (isLink(text) && text.length <= LIMITS.urlCharacters)) return text;
  diagnostics.warn(
    `/${member}`,
    "not_carried_over",
    `${quote(text)} is no absolute URL of at most ${LIMITS.urlCharacters} characters; it is not carried over`,
  );
  return undefined;
}

/** Leaves out an address with a user name or a password, with a warning that does not repeat it. */
export function warnCredentials(member: string, diagnostics: Diagnostics): undefined {
  diagnostics.warn(
    `/${member}`,
    "not_carried_over",
    "the address holds a user name or a password; it is not carried over",
  );
}

/** A version without a leading `v`; `0.0.1` when there is none, and with a warning when it is no semantic version. */
export function readVersion(source: JsonObject, member: string, diagnostics: Diagnostics): string {
  const value = source[member];
  if (isAbsent(value) || (typeof value === "string" && value.trim() === "")) return FIRST_VERSION;
  const version = typeof value === "string" ? value.trim().replace(/^v(?=\d)/i, "") : "";
  if (isVersion(version) && version.length <= LIMITS.versionCharacters) return version;
  const given = typeof value === "string" || typeof value === "number" ? quote(String(value)) : describeJsonType(value);
  diagnostics.warn(
    `/${member}`,
    "text_changed",
    `${given} is no version MAJOR.MINOR.PATCH; the version became ${FIRST_VERSION}`,
  );
  return FIRST_VERSION;
}
