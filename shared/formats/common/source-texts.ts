import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { FIRST_VERSION, holdsCredentials, isLink, isVersion } from "../../domain/values/value-types.ts";
import { clip, type Diagnostics, quote } from "./diagnostics.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";

/** Reads a text member. Warns about other values. */
export function readText(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const value = source[member];
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  const detail = `expected a text, got ${describeJsonType(value)}; it is not imported`;
  diagnostics.warn(`/${member}`, "not_carried_over", detail);
  return undefined;
}

/** Reads a title as a name: on one line and within the limit. Warns about changes. */
export function readName(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics);
  if (text === undefined) return undefined;
  const line = joinLines(text);
  const name = shortenName(line);
  const changes = [
    ...(line === text ? [] : ["names have one line, so the lines were joined"]),
    ...(name === line ? [] : [`names have at most ${LIMITS.nameCharacters} characters, so it was shortened`]),
  ];
  if (changes.length > 0) diagnostics.warn(`/${member}`, "text_changed", changes.join("; "));
  return name;
}

/** Makes a legal name of a text: one line, at most `LIMITS.nameCharacters`. */
export function toName(text: string): string {
  return shortenName(joinLines(text));
}

function joinLines(text: string) {
  return /[\r\n\u2028\u2029]/.test(text) ? text.replace(/\s*[\r\n\u2028\u2029]\s*/g, " ").trim() : text;
}

function shortenName(line: string) {
  return line.length <= LIMITS.nameCharacters ? line : `${clip(line, LIMITS.nameCharacters - 1).trimEnd()}…`;
}

/** Reads a description and shortens it to the limit, with a warning. */
export function readDescription(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics);
  if (text === undefined || Buffer.byteLength(text) <= LIMITS.descriptionBytes) return text;
  const detail = `descriptions have at most ${LIMITS.descriptionBytes} bytes, so it was shortened`;
  diagnostics.warn(`/${member}`, "text_changed", detail);
  // Three bytes for the ellipsis. At most three bytes of a split character are removed.
  const bytes = Buffer.from(text).subarray(0, LIMITS.descriptionBytes - 3);
  return `${bytes.toString().replace(/\uFFFD+$/, "")}…`;
}

/** Reads a link. Warns about one that the service cannot store. */
export function readLink(source: JsonObject, member: string, diagnostics: Diagnostics): string | undefined {
  const text = readText(source, member, diagnostics)?.trim();
  if (text !== undefined && holdsCredentials(text)) return warnCredentials(member, diagnostics);
  if (text === undefined || (isLink(text) && text.length <= LIMITS.urlCharacters)) return text;
  const rule = `an absolute URL of at most ${LIMITS.urlCharacters} characters`;
  diagnostics.warn(`/${member}`, "not_carried_over", `${quote(text)} is not ${rule}; it is not imported`);
  return undefined;
}

/** Warns about an address with credentials without repeating it. */
export function warnCredentials(member: string, diagnostics: Diagnostics): undefined {
  const detail = "the address contains a user name or a password; it is not imported";
  diagnostics.warn(`/${member}`, "not_carried_over", detail);
}

/** Reads a version without a leading `v`. Returns `0.0.1` if it is absent, or invalid with a warning. */
export function readVersion(source: JsonObject, member: string, diagnostics: Diagnostics): string {
  const value = source[member];
  if (isAbsent(value) || (typeof value === "string" && value.trim() === "")) return FIRST_VERSION;
  const version = typeof value === "string" ? value.trim().replace(/^v(?=\d)/i, "") : "";
  if (isVersion(version) && version.length <= LIMITS.versionCharacters) return version;
  const text = typeof value === "string" || typeof value === "number" ? quote(String(value)) : describeJsonType(value);
  const detail = `${text} is not a version MAJOR.MINOR.PATCH; the version became ${FIRST_VERSION}`;
  diagnostics.warn(`/${member}`, "text_changed", detail);
  return FIRST_VERSION;
}
