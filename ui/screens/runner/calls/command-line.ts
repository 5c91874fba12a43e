import { commandGroup } from "../../../../shared/domain/command-group.ts";
import type { Control, Field } from "../form/field.ts";
import type { JsonObject } from "../form/pointer.ts";
import { quotedTags, shellPayload, shellQuoted, shellWord, variablesIn, type WrittenCall } from "./call.ts";

/** Where the command line looks for a service that nobody names. */
const NEAR = "http://127.0.0.1:8080";

/** Parameters of these names would be read as flags of the command line itself. */
const OWN_FLAGS = new Set(
  "url token profile output query input wait yes quiet verbose curl color help dry-run if-match idempotency-key".split(
    " ",
  ),
);

/** Controls whose values are written as JSON. */
const STRUCTURED: ReadonlySet<Control["kind"]> = new Set(["json", "object", "list", "choices", "variants"]);

/** A call as a command of `metaction`, which reads the token from the environment. Secrets are piped in. */
export function commandOf(call: WrittenCall): string {
  const { action, form, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const flags = variablesIn(payload).length > 0 ? undefined : flagsOf(payload, form);
  const words = [
    `metaction ${commandGroup(action.group)} ${action.name}`,
    ...(flags ?? ["--input=-"]),
    ...(ifMatch ? [`--if-match=${shellQuoted(quotedTags(ifMatch))}`] : []),
    ...(dryRun ? ["--dry-run"] : []),
    ...(idempotencyKey && !dryRun ? [`--idempotency-key=${shellWord(idempotencyKey)}`] : []),
    ...(url === NEAR ? [] : [`--url=${shellWord(url)}`]),
  ];
  const command = words.join(words.length > 3 ? " \\\n  " : " ");
  return flags ? command : `printf '%s' ${shellPayload(payload)} |\n  ${command}`;
}

/** The flags of a payload; undefined where one of its members cannot be written as a flag. */
function flagsOf(payload: JsonObject, { control }: Field): readonly string[] | undefined {
  const members = control.kind === "object" ? control.members : [];
  const flags = Object.entries(payload).map(([name, value]) => {
    const member = members.find((one) => one.name === name);
    return member && flagOf(member, value);
  });
  return flags.every((flag) => flag !== undefined) ? flags : undefined;
}

function flagOf({ name, control: { kind } }: Field, value: unknown): string | undefined {
  if (!/^[A-Za-z][\w-]*$/.test(name) || OWN_FLAGS.has(name)) return undefined;
  // Numbers and truth values are read as they are, a text where a text is asked for; the rest is JSON.
  if (kind === "flag") return typeof value === "boolean" ? `--${value ? "" : "no-"}${name}` : undefined;
  if (kind === "number") return typeof value === "number" ? `--${name}=${value}` : undefined;
  if (STRUCTURED.has(kind)) return value === null ? undefined : `--${name}=${shellWord(JSON.stringify(value))}`;
  if (typeof value !== "string" || value === "-") return undefined;
  return `--${name}=${value === "" ? "" : shellWord(value.replace(/^@/, "@@"))}`;
}
