import type { GivenFlag } from "../input/flags.ts";
import { isObject, parseJsonOrText } from "../input/values.ts";
import { createUsageFailure, type Failure } from "../terminal/failure.ts";
import type { ActionDescription, Description } from "./description.ts";
import { listSpellings } from "./payload.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Marks the name of a variable that replaces a secret; Unicode reserves this character for internal use. */
const MARK = "\ufdd0";

/** Replaces each secret in a payload by a variable, also in the entries of a batch. */
export function replaceSecrets(payload: Payload, { actions }: Description): Payload {
  const spellings = actions.flatMap((action) => [...listSpellings(action)]);
  const secrets = new Map(spellings.filter(([, { secret }]) => secret).map(([spelling, { name }]) => [spelling, name]));
  const maskSecrets = (members: Payload): Payload =>
    Object.fromEntries(
      Object.entries(members).map(([member, value]) => {
        const secret = secrets.get(member);
        if (secret !== undefined) return [member, `${MARK}${toVariableName(secret)}${MARK}`];
        return [member, Array.isArray(value) ? value.map(maskEntry) : value];
      }),
    );
  const maskEntry = (entry: unknown): unknown =>
    isObject(entry) && isObject(entry.payload) ? { ...entry, payload: maskSecrets(entry.payload) } : entry;
  // A caller's text that contains MARK must not be read as a variable.
  return maskSecrets(JSON.parse(JSON.stringify(payload).replaceAll(MARK, "\ufffd")) as Payload);
}

/** Quotes a text for a POSIX shell in single quotes, with the variables that `withoutSecrets` inserted. */
export function quoteWithVariables(text: string): string {
  return text.replace(new RegExp(`${MARK}(\\w+)${MARK}`, "g"), `'"$$$1"'`);
}

/** Throws a usage failure for a secret among the arguments, also inside an entry of a batch. */
export function refuseSecretArguments(
  action: ActionDescription,
  flags: readonly GivenFlag[],
  description: Description,
): void {
  const spellings = listSpellings(action);
  for (const flag of flags) {
    const parameter = spellings.get(flag.name);
    if (!parameter || typeof flag.value !== "string" || isElsewhere(flag.value)) continue;
    if (parameter.secret) throw createSecretFailure(flag.name);
    const entries = { entries: [parseJsonOrText(flag.value)].flat() };
    if (JSON.stringify(replaceSecrets(entries, description)).includes(MARK)) {
      throw createUsageFailure(
        `--${flag.name} contains a secret, ${EXPOSURE}; write --${flag.name}=@file, or --${flag.name}=- to pipe it in`,
      );
    }
  }
}

const EXPOSURE = "and other users of this machine can see arguments, which also stay in the shell's history";

/** Returns the failure for a secret among the arguments. */
export function createSecretFailure(flag: string): Failure {
  return createUsageFailure(
    `--${flag} is a secret, ${EXPOSURE}; write --${flag}=- to be asked for it or to pipe it in (printf %s "$${toVariableName(flag)}" | metaction ...), or --${flag}=@file`,
  );
}

/** True for a flag value that says where the text is: stdin or a file. */
export function isElsewhere(value: string): boolean {
  return value === "-" || /^@(?!@)/.test(value);
}

function toVariableName(name: string) {
  return `METACTION_${name.replace(/[A-Z]/g, "_$&").replaceAll("-", "_").toUpperCase()}`;
}
