import { ApiProblem } from "../../client/create-client.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { findNearest } from "../../shared/domain/text/suggestions.ts";

/** Exit codes that are no problem of the service's table. */
export const EXIT = {
  done: 0,
  server: 1,
  usage: 2,
  notFound: 3,
  notSignedIn: 4,
  breaking: 8,
  interrupted: 130,
} as const;

/** A command that ends with a sentence for its caller and an exit code. */
export class Failure extends Error {
  readonly exit: number;

  constructor(sentence: string, exit: number) {
    super(sentence);
    this.exit = exit;
  }
}

/** The failure of a command that has to be written differently. */
export function usage(sentence: string): Failure {
  return new Failure(sentence, EXIT.usage);
}

/** The exit code of a command that ended with an error. */
export function findExitCode(error: unknown): number {
  if (error instanceof Failure) return error.exit;
  if (!(error instanceof ApiProblem)) return EXIT.server;
  const { code, status } = error;
  if (code === "no_answer") return EXIT.server;
  // A newer service may have codes of its own.
  const row = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS] : undefined;
  return row?.exit ?? exitOfStatus(status);
}

/** The exit code of an answer that a proxy in between made. */
function exitOfStatus(status: number): number {
  return Object.values(PROBLEMS).find((row) => row.status === status)?.exit ?? EXIT.server;
}

/** The lines on stderr of a command that failed: a sentence, and a line for each fault beside the first. */
export function formatErrorLines(error: unknown): readonly string[] {
  if (error instanceof Failure) return [error.message];
  if (!(error instanceof ApiProblem)) return [`metaction failed: ${error instanceof Error ? error.message : error}`];
  if (error.code === "no_answer") return [`${error.message}${whyUnreachable(error.cause)}`];
  const faults = error.errors ?? [];
  return [
    error.message,
    ...(faults.length > 1 ? faults.map(faultLine) : []),
    ...(error.changesSince ?? []).map(
      ({ revision, time, actions, objects }) => `  ${revision}  ${time}  ${actions.join(", ")}  ${objects.join(", ")}`,
    ),
  ];
}

/** Sentences about a parameter mostly begin with its name. */
function faultLine({ pointer, detail }: { readonly pointer: string; readonly detail: string }): string {
  return detail.includes(pointer.slice(1)) ? `  ${detail}` : `  ${pointer}  ${detail}`;
}

/** The cause of a failed `fetch`, in words. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return ": nothing listens there; is the service running?";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return ": the name of the host is not known";
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return ": its certificate is not signed by anyone this machine trusts; name its authority in NODE_EXTRA_CA_CERTS";
  }
  if (/CERT_|ALTNAME/.test(code)) return `: its certificate is not valid (${code})`;
  return code ? ` (${code})` : "";
}

/** The end of a sentence about a word that is not known: the known one that it is near to, else the way to them. */
export function meant(word: string, known: Iterable<string>, way: string, written = (close: string) => close): string {
  const close = findNearest(word, known);
  return `; ${close === undefined ? way : `did you mean ${written(close)}?`}`;
}

/** The failure of a flag that a command does not have; `help` are the words behind `metaction help` that tell which it has. */
export function unknownFlag(command: string, flag: string, known: Iterable<string>, help = command): Failure {
  // Of one letter, every other short flag would be near.
  const isShort = flag.length === 1;
  const end = meant(flag, isShort ? [] : known, `see: ${`metaction help ${help}`.trimEnd()}`, (close) => `--${close}`);
  return usage(`${command} knows no ${isShort ? "-" : "--"}${flag}${end}`);
}

/** The failure of a value that is none of the few there are; `setting` says what was given, such as `--kind=enity`. */
export function unknownValue(setting: string, value: string, known: readonly string[]): Failure {
  const close = findNearest(value, known);
  return usage(`${setting}: write ${known.join(", ")}${close === undefined ? "" : `; did you mean ${close}?`}`);
}
