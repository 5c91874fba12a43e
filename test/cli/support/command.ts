import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { runToExitCode } from "../../../cli/main.ts";
import { createTextStream } from "../../../cli/terminal/text-stream.ts";
import { inheritVariables } from "../../support/run-program.ts";
import { createFolder } from "../../support/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ENTRY = join(ROOT, "cli/metaction.js");

/** The exit code and the outputs of a command that has ended. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A text that a person types once the text `after` has appeared. */
export type Typed = { readonly after: string; readonly text: string; readonly meanwhile?: () => Promise<unknown> };

export interface Given {
  readonly stdin?: string;
  readonly typed?: readonly Typed[] | undefined;
  /** An address that is visited once it stands on stderr, as a browser would. */
  readonly visit?: RegExp;
  /** Visits the address; sends a single request unless given. */
  readonly visitor?: (address: string) => unknown;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which Ctrl-C is pressed. */
  readonly interruptAfter?: number;
  readonly cwd?: string;
  /** Columns of a simulated terminal, whose two outputs are collected in `stdout`. Only for commands that need no process. */
  readonly columns?: number;
}

/** The command line of one user, with a home folder of its own. */
export interface CommandLine {
  readonly home: string;
  /** Runs a command in the process of the test if possible: starting Node.js takes longer than most commands. */
  run(args: readonly string[], given?: Given): Promise<Ended>;
  /** Runs a command of the shell in which `metaction` is the command line, on a terminal of 100 columns; both streams come together. */
  onTerminal(command: string, typed?: readonly Typed[]): Promise<Ended>;
  /** Runs a command of bash in which `metaction` is the command line. */
  shell(command: string, given?: Given): Promise<Ended>;
}

/** A part of a command that is inserted as it is: a part of one word, or a list of words. */
type Inserted = string | number | undefined | readonly string[];

/** Splits a command as it is typed into its words, without quotes: an inserted text never ends the word that it is in. */
export function wordsOf({ raw }: TemplateStringsArray, ...inserted: readonly Inserted[]): readonly string[] {
  const text = String.raw({ raw }, ...inserted.map((_, at) => `\ufdd0${at}\ufdd0`)).trim();
  return splitWords(text).flatMap((word) => {
    const list = inserted[Number(/^\ufdd0(\d+)\ufdd0$/.exec(word)?.[1])];
    return typeof list === "object"
      ? list
      : word.replace(/\ufdd0(\d+)\ufdd0/g, (_, at) => String(inserted[Number(at)]));
  });
}

/** Splits a command as it is typed into its words; a word may have a part in single quotes. */
export const splitWords = (command: string): readonly string[] =>
  (command.match(/(?:'[^']*'|\S)+/g) ?? []).map((word) => word.replaceAll("'", ""));

/** A command line that reaches the service at a URL unless told otherwise. */
export async function commandLine(url: string): Promise<CommandLine> {
  const home = createFolder();
  const base = {
    PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
    HOME: home,
    METACTION_URL: url,
    TERM: "xterm",
  };
  const start = (command: string, args: readonly string[], given: Given = {}): Promise<Ended> =>
    runToEnd(command, args, { ...inheritVariables(), ...base, ...given.environment }, given);
  const named = (command: string) => `metaction() { '${process.execPath}' '${ENTRY}' "$@"; }\n${command}`;
  return {
    home,
    run: (args, given = {}) =>
      needsProcess(args, given)
        ? start(process.execPath, [ENTRY, ...args], given)
        : runInProcess(args, home, { ...base, ...given.environment }, given),
    shell: (command, given) => start("bash", ["-c", named(command)], given),
    onTerminal: (command, typed) => {
      const script = `stty cols 100\n${named(command)}`;
      const environment = { METACTION_SCRIPT: script, SHELL: "/bin/bash" };
      // The command `script` makes the terminal.
      return start("script", ["-qec", 'bash -c "$METACTION_SCRIPT"', "/dev/null"], { environment, typed });
    },
  };
}

/** Returns true for a command that needs a separate process: for input, signals, browsers, folders or settings of Node.js. */
function needsProcess([command]: readonly string[], { environment = {}, typed, visit, interruptAfter, cwd }: Given) {
  const isForNode = Object.keys(environment).some((name) => /^NODE_|PROXY$/i.test(name));
  return command === "start" || isForNode || [typed, visit, interruptAfter, cwd].some((one) => one !== undefined);
}

async function runInProcess(
  args: readonly string[],
  home: string,
  environment: NodeJS.ProcessEnv,
  { stdin = "", columns }: Given,
): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const createSink = (name: keyof typeof written) => {
    const stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        written[columns === undefined ? name : "stdout"] += text;
        done();
      },
    });
    return createTextStream(Object.assign(stream, { isTTY: columns !== undefined, columns, rows: 0 }) as WriteStream);
  };
  const terminal = {
    environment,
    home,
    stdin: Readable.from([Buffer.from(stdin)]) as ReadStream,
    stdout: createSink("stdout"),
    stderr: createSink("stderr"),
    now: Date.now,
    signal: new AbortController().signal,
  };
  return { code: await runToExitCode(terminal, args), ...written };
}

const request = (address: string): unknown => fetch(address).catch(() => undefined);

/** Runs a program with this environment, and returns what it printed once it has ended. */
export function runToEnd(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdin, typed = [], visit, visitor = request, interruptAfter, cwd = ROOT }: Given = {},
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  const waiting = [...typed];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
    const [next] = waiting;
    if (!next || !stdout.includes(next.after)) return;
    waiting.shift();
    void Promise.resolve(next.meanwhile?.()).then(() => child.stdin.write(next.text));
  });
  let visited = false;
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
    const [address] = visit?.exec(stderr) ?? [];
    if (visited || address === undefined) return;
    visited = true;
    visitor(address);
  });
  child.stdin.on("error", () => undefined);
  if (typed.length === 0) child.stdin.end(stdin);
  if (interruptAfter !== undefined) setTimeout(() => child.kill("SIGINT"), interruptAfter);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
