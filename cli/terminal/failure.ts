import { ApiProblem } from "../../client/create-client.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { findNearest } from "../../shared/domain/text/suggestions.ts";

/** Exit codes that are not in the service's problem table. */
export const EXIT = {
  done: 0,
  server: 1,
  usage: 2,
  notFound: 3,
  notSignedIn: 4,
  breaking: 8,
  unconfirmed: 9,
  interrupted: 130,
} as const;

/** A command that ends with a message for its caller and an exit code. */
export class Failure extends Error {
  readonly exit: number;

  constructor(sentence: string, exit: number) {
    super(sentence);
    this.exit = exit;
  }
}

/** Returns the failure of a command that was written incorrectly. */
export function createUsageFailure(sentence: string): Failure {
  return new Failure(sentence, EXIT.usage);
}

/** Returns the exit code for an error. */
export function findExitCode(error: unknown): number {
  if (error instanceof Failure) return error.exit;
  if (!(error instanceof ApiProblem)) return EXIT.server;
  const { code, status } = error;
  if (code === "no_answer") return EXIT.server;
  // A newer service may have additional codes.
  const row = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS] : undefined;
  // A proxy answers without a code.
  return (row ?? Object.values(PROBLEMS).find((item) => item.status === status))?.exit ?? EXIT.server;
}

/** Returns the lines for stderr: a message, and one line for each other fault. */
export function formatErrorLines(error: unknown): readonly string[] {
  if (error instanceof Failure) return [error.message];
  if (!(error instanceof ApiProblem)) return [`metaction failed: ${error instanceof Error ? error.message : error}`];
  if (error.code === "no_answer") return [`${error.message}${describeUnreachable(error.cause)}`];
  const faults = error.errors ?? [];
  return [
    error.message,
    ...(faults.length > 1 ? faults.map(formatFaultLine) : []),
    ...(error.changesSince ?? []).map(
      ({ revision, time, actions, objects }) => `  ${revision}  ${time}  ${actions.join(", ")}  ${objects.join(", ")}`,
    ),
  ];
}

function formatFaultLine({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  return detail.includes(pointer.slice(1)) ? `  ${detail}` : `  ${pointer}  ${detail}`;
}

function describeUnreachable(error: unknown) {
  const cause: unknown = Object(error).cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return ": nothing listens there; is the service running?";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return ": unknown host name";
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return ": its certificate is not signed by an authority that this machine trusts; name the authority in NODE_EXTRA_CA_CERTS";
  }
  if (/CERT_|ALTNAME/.test(code)) return `: its certificate is not valid (${code})`;
  return code ? ` (${code})` : "";
}

/** Returns the end of a message about an unknown word: the nearest known word, else how to find one. */
export function suggestWord(
  word: string,
  words: Iterable<string>,
  hint: string,
  format = (close: string) => close,
): string {
  const close = findNearest(word, words);
  return `; ${close === undefined ? hint : `did you mean ${format(close)}?`}`;
}

/** Returns the failure for an unknown flag; `help` lists the known ones. */
export function createUnknownFlagFailure(
  command: string,
  flag: string,
  names: Iterable<string>,
  help = command,
): Failure {
  const isShort = flag.length === 1;
  const end = suggestWord(
    flag,
    isShort ? [] : names,
    `see: ${`metaction help ${help}`.trimEnd()}`,
    (close) => `--${close}`,
  );
  return createUsageFailure(`${command} has no flag ${isShort ? "-" : "--"}${flag}${end}`);
}

/** Returns the failure for a value that is not allowed; `setting` is such as `--kind=enity`. */
export function createUnknownValueFailure(setting: string, value: string, values: readonly string[]): Failure {
  const close = findNearest(value, values);
  return createUsageFailure(
    `${setting}: write ${values.join(", ")}${close === undefined ? "" : `; did you mean ${close}?`}`,
  );
}
