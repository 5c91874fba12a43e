import type { ActionDescription } from "../../../api/description.ts";
import type { Field } from "../form/field.ts";
import { addSecrets, type JsonObject } from "../form/form-state.ts";
import type { RunControls } from "../run/run.ts";

/** A call to show, without secrets. */
export interface WrittenCall extends RunControls {
  readonly action: Pick<ActionDescription, "group" | "name" | "isPublic">;
  readonly form: Field;
  readonly url: string;
  /** With a marker instead of each secret; see `withVariables`. */
  readonly payload: JsonObject;
}

/** Environment variable of the access token; the command line reads it too. */
export const TOKEN_VARIABLE = "METACTION_TOKEN";

/** Returns the environment variable of a secret: `oldPassword` gives `METACTION_OLD_PASSWORD`. */
export function toVariableName(name: string): string {
  return `METACTION_${name.replace(/[A-Z]/g, "_$&").replaceAll("-", "_").toUpperCase()}`;
}

/** Encloses the name of a variable. Unicode reserves this character, and it is removed from typed texts. */
const MARK = "\ufdd0";

/** Returns the payload with markers instead of the named secrets. */
export function withVariables(form: Field, payload: JsonObject, names: readonly string[]): JsonObject {
  const free = JSON.parse(JSON.stringify(payload).replaceAll(MARK, "\ufffd")) as JsonObject;
  return addSecrets(
    form,
    free,
    Object.fromEntries(names.map((name) => [name, `${MARK}${toVariableName(name)}${MARK}`])),
  );
}

/** Returns the variable of a marker; undefined for any other value. */
export function isVariable(value: unknown): string | undefined {
  return typeof value === "string" ? new RegExp(`^${MARK}(\\w+)${MARK}$`).exec(value)?.[1] : undefined;
}

/** Lists the variables of a payload without duplicates. */
export function listVariables(payload: JsonObject): readonly string[] {
  const matches = JSON.stringify(payload).matchAll(new RegExp(`${MARK}(\\w+)${MARK}`, "g"));
  return [...new Set([...matches].map(([, name = ""]) => name))];
}

/** Formats a text as one word of a POSIX shell. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}

/** Formats a text in single quotes for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats a payload as JSON in single quotes for a shell, with variables instead of markers. */
export function formatShellPayload(payload: JsonObject): string {
  const text = quoteForShell(JSON.stringify(payload));
  return text.replace(new RegExp(`${MARK}(\\w+)${MARK}`, "g"), `'"$$$1"'`);
}

/** Formats entity tags for the header, with quotes around each revision. */
export function quoteTags(tags: string): string {
  return tags
    .split(",")
    .map((tag) => `"${tag.trim().replace(/^"|"$/g, "")}"`)
    .join(", ");
}
