import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";

const HERE = join(import.meta.dirname, "../dynamodb-local");
/** Where the jars lie once they were fetched; no part of the repository. */
const JARS = join(import.meta.dirname, "../../../node_modules/.cache/dynamodb-local");

/** Starts DynamoDB Local, whose jars Maven fetches once. Returns the reason if Java or Maven is missing. */
export async function startDynamoDbLocal() {
  // The launcher is compiled as it is run, which takes the compiler.
  if (!runs("javac", "--version")) return "there is no JDK here";
  if (!existsSync(JARS)) {
    if (!runs("mvn", "--version")) return `there is no Maven here to fetch it into ${JARS}`;
    const draft = `${JARS}.${process.pid}`;
    const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${draft}`];
    if (!runs("mvn", "--quiet", "--batch-mode", "--file", join(HERE, "pom.xml"), ...copy))
      return `Maven could not fetch it into ${JARS}`;
    renameSync(draft, JARS);
  }
  const options = [`-Dsqlite4java.library.path=${JARS}`, "-cp", join(JARS, "*")];
  const child = spawn("java", [...options, join(HERE, "LoopbackDynamo.java")], { stdio: ["pipe", "pipe", "ignore"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    endpoint: `http://127.0.0.1:${await portOf(child)}`,
    stop: () => {
      child.stdin?.end();
      return gone;
    },
  };
}

function runs(program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

/** The port that the launcher prints; an error where it ends without having printed one. */
function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => resolve(line.toString("utf8").trim()));
    child.once("exit", (code) => reject(new Error(`DynamoDB Local ended with ${code}`)));
  });
}
