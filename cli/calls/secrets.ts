import type { GivenFlag } from "../input/flags.ts";
import { type Failure, usage } from "../terminal/failure.ts";
import type { ActionDescription, Description } from "./description.ts";
import { spellings } from "./payload.ts";

type Payload = Readonly<Record<string, unknown>>;

/** The character around the name of a variable that stands for a secret, which Unicode keeps free for such uses. */
const MARK = "\ufdd0";

/** A payload with a variable in the place of each secret, also in the entries of a batch. */
export function withoutSecrets(payload: Payload, { actions }: Description): Payload {
  const known = actions.flatMap((action) => [...spellings(action)]);
  const secrets = new Map(known.filter(([, { secret }]) => secret).map(([spelling, { name }]) => [spelling, name]));
  const masked = (members: Payload): Payload =>
    Object.fromEntries(
      Object.entries(members).map(([member, value]) => {
        const secret = secrets.get(member);
        if (secret !== undefined) return [member, `${MARK}${toVariableName(secret)}${MARK}`];
        return [member, Array.isArray(value) ? value.map(maskedEntry) : value];
      }),
    );
  const maskedEntry = (entry: unknown): unknown =>
    isPayload(entry) && isPayload(entry.payload) ? { ...entry, payload: masked(entry.payload) } : entry;
  // A text of the caller that holds MARK must not read as a variable.
  return masked(JSON.parse(JSON.stringify(payload).replaceAll(MARK, "\ufffd")) as Payload);
}

/** A text in single quotes of a POSIX shell, with the variables that `withoutSecrets` put into it. */
export function withVariables(quoted: string): string {
  return quoted.replace(new RegExp(`${MARK}(\\w+)${MARK}`, "g"), `'"$$$1"'`);
}

/** Refuses a secret that is among the arguments, alone or in an entry of a batch. */
export function refuseSecretArguments(
  action: ActionDescription,
  flags: readonly GivenFlag[],
  description: Description,
): void {
  const known = spellings(action);
  for (const flag of flags) {
    const parameter = known.get(flag.name);
    if (!parameter || typeof flag.value !== "string" || isElsewhere(flag.value)) continue;
    if (parameter.secret) throw secretGiven(flag.name);
    const entries = { entries: [jsonIn(flag.value)].flat() };
    if (JSON.stringify(withoutSecrets(entries, description)).includes(MARK)) {
      throw usage(
        `--${flag.name} holds a secret, ${EXPOSED}; write --${flag.name}=@file, or --${flag.name}=- to pipe it in`,
      );
    }
  }
}

const EXPOSED = "and arguments are seen by others on this machine and kept in the shell's history";

/** The failure of a command with a secret among its arguments. */
export function secretGiven(flag: string): Failure {
  return usage(
    `--${flag} is a secret, ${EXPOSED}; write --${flag}=- to be asked for it or to pipe it in (printf %s "$${toVariableName(flag)}" | metaction ...), or --${flag}=@file`,
  );
}

/** True for the value of a flag that says where the text is: on stdin, or in a file. */
export function isElsewhere(value: string): boolean {
  return value === "-" || /^@(?!@)/.test(value);
}

/** `oldPassword` as `METACTION_OLD_PASSWORD`. */
function toVariableName(name: string): string {
  return `METACTION_${name.replace(/[A-Z]/g, "_$&").replaceAll("-", "_").toUpperCase()}`;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
