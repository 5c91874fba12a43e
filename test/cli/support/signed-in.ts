import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { becomeAdministrator, type LocalProcess, startProcess } from "../../support/local-process.ts";
import { type CommandLine, commandLine } from "./command.ts";

/** A service in a process of its own, and the command line of its administrator. */
export interface SignedIn {
  readonly service: LocalProcess;
  readonly user: CommandLine;
  readonly token: string;
}

/** Starts a service with the model of the library example, and signs its administrator in. */
export async function signedIn(): Promise<SignedIn> {
  const service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-cli-")));
  const token = await becomeAdministrator(service);
  const content = JSON.parse(
    await readFile(join(import.meta.dirname, "../../../examples/library/datapackage.json"), "utf8"),
  );
  const made = await service.call("model/import", { content }, token);
  if (made.status !== 200) throw new Error(`the import answered ${made.status}`);
  const user = await commandLine(service.url);
  const login = await user.run(["login", "--username=admin"], { stdin: "Correct-Horse-7-Battery\n" });
  if (login.code !== 0) throw new Error(login.stderr);
  return { service, user, token };
}
