import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../../support/local-process.ts";
import { type CommandLine, commandLine, type Ended, splitWords, wordsOf } from "./command.ts";

/** A service in a process of its own, and the command line of its administrator. */
export interface SignedIn {
  readonly service: LocalProcess;
  readonly user: CommandLine;
  readonly token: string;
  /** Runs an action as the administrator and returns its answer; throws where it is refused. */
  call(action: string, payload?: object): Promise<Awaited<ReturnType<LocalProcess["call"]>>["body"]>;
  /** Runs a command, given as it is typed. */
  run(...command: Parameters<typeof wordsOf>): Promise<Ended>;
  /** Runs a command that has to succeed without a message, and returns the JSON that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every action
  json(...command: Parameters<typeof wordsOf>): Promise<any>;
  /** Runs a command that has to succeed, without colours, and returns its lines on a terminal of 100 columns. */
  shown(command: string): Promise<readonly string[]>;
}

/** Starts a service with the model of the library example before the tests of a file, signs its administrator in, and ends it after them. */
export function useSignedIn(): SignedIn {
  let service: LocalProcess;
  let user: CommandLine;
  let token = "";
  beforeAll(async () => {
    service = await startProcess();
    token = await becomeAdministrator(service);
    const library = join(import.meta.dirname, "../../../examples/library/datapackage.json");
    await call("model/import", { content: JSON.parse(await readFile(library, "utf8")) });
    user = await commandLine(service.url);
    const login = await user.run(["login", "--username=admin"], { stdin: ADMINISTRATOR.password });
    expect(login).toMatchObject({ code: 0, stdout: "" });
  });
  afterAll(() => service.interrupt());

  const call: SignedIn["call"] = async (action, payload = {}) => {
    const { status, body } = await service.call(action, payload, token);
    if (status !== 200 && status !== 202) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const run: SignedIn["run"] = (...command) => user.run(wordsOf(...command));
  return {
    get service() {
      return service;
    },
    get user() {
      return user;
    },
    get token() {
      return token;
    },
    call,
    run,
    json: async (...command) => {
      const { code, stdout, stderr } = await run(...command);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    },
    shown: async (command) => {
      const { code, stdout } = await user.run(splitWords(command), { columns: 100, environment: { NO_COLOR: "1" } });
      expect(code, stdout).toBe(0);
      return stdout.trimEnd().split("\n");
    },
  };
}
