import type { ActionDescription } from "../../../api/description.ts";
import type { Field } from "../form/field.ts";
import { addSecrets, type JsonObject } from "../form/form-state.ts";

/** One call as it would be sent, without what is secret. */
export interface WrittenCall {
  readonly action: Pick<ActionDescription, "group" | "name" | "isPublic">;
  /** The form of its payload. */
  readonly form: Field;
  /** The address of the service. */
  readonly url: string;
  /** With a mark in the place of each secret, as `withVariables` makes it. */
  readonly payload: JsonObject;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly dryRun: boolean;
}

/** The variable that stands for the access token; it is the one that the command line reads. */
export const TOKEN_VARIABLE = "METACTION_TOKEN";

/** The variable of the environment that stands for a secret: `oldPassword` is `METACTION_OLD_PASSWORD`. */
export function toVariableName(name: string): string {
  return `METACTION_${name.replace(/[A-Z]/g, "_$&").replaceAll("-", "_").toUpperCase()}`;
}

/** Around the name of a variable; Unicode keeps it free for such uses, and texts of people lose it here. */
const MARK = "\ufdd0";

/** A payload with marks in the place of the secrets of these names. */
export function withVariables(form: Field, payload: JsonObject, names: readonly string[]): JsonObject {
  const free = JSON.parse(JSON.stringify(payload).replaceAll(MARK, "\ufffd")) as JsonObject;
  return addSecrets(
    form,
    free,
    Object.fromEntries(names.map((name) => [name, `${MARK}${toVariableName(name)}${MARK}`])),
  );
}

/** The variable that a value stands for, if it is the mark of one. */
export function isVariable(value: unknown): string | undefined {
  return typeof value === "string" ? new RegExp(`^${MARK}(\\w+)${MARK}$`).exec(value)?.[1] : undefined;
}

/** The variables that a payload has marks of, each once. */
export function listVariables(payload: JsonObject): readonly string[] {
  const found = JSON.stringify(payload).matchAll(new RegExp(`${MARK}(\\w+)${MARK}`, "g"));
  return [...new Set([...found].map(([, name = ""]) => name))];
}

/** A text as one word of a POSIX shell. */
export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}

/** A text in single quotes of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A payload as JSON in single quotes of a shell, with a variable in the place of each mark. */
export function formatShellPayload(payload: JsonObject): string {
  const quoted = quoteForShell(JSON.stringify(payload));
  return quoted.replace(new RegExp(`${MARK}(\\w+)${MARK}`, "g"), `'"$$$1"'`);
}

/** An entity tag as the header takes it: each revision in quotes. */
export function quoteTags(tags: string): string {
  return tags
    .split(",")
    .map((tag) => `"${tag.trim().replace(/^"|"$/g, "")}"`)
    .join(", ");
}
