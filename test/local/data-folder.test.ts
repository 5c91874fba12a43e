import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { FILES } from "../../local/sqlite/data-folder.ts";
import { startProcess } from "../support/local-process.ts";
import { type Ran, runProgram } from "../support/run-program.ts";
import { createFolder } from "../support/temporary-folder.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const start = (folder: string): Promise<Ran> => runProgram("local/main.js", { PORT: "0", METACTION_DATA_DIR: folder });

describe("the data folder", () => {
  test("is readable by its owner only, with all files, also those that existed before", async () => {
    const folder = createFolder();
    const openFiles = async () => (await readdir(folder)).filter((name) => modeOf(join(folder, name)) !== 0o600);
    const first = await startProcess(folder);
    await first.kill();
    expect(await openFiles()).toEqual([]);
    const files = await readdir(folder);
    // Nothing was checkpointed before the kill.
    expect(files).toEqual(expect.arrayContaining(["metaction.db-wal", "signing-keys.json", "bootstrap-secret"]));
    chmodSync(folder, 0o755);
    for (const file of files) chmodSync(join(folder, file), 0o644);
    const second = await startProcess(folder);
    expect([modeOf(folder), await openFiles()]).toEqual([0o700, []]);
    await second.interrupt();
  });

  test.each([0o720, 0o702, 0o777])("that others may write to is refused: %o", async (mode) => {
    const folder = createFolder();
    chmodSync(folder, mode);
    const { code, said } = await start(folder);
    expect({ code, said }).toEqual({ code: 2, said: expect.stringMatching(/^Others may write to .*chmod 700.*\n$/) });
  });

  test("of the former engine is reported and not changed", async () => {
    const folder = createFolder();
    const former = new DatabaseSync(FILES.database(folder));
    former.exec("CREATE TABLE _config (key TEXT PRIMARY KEY); CREATE TABLE _tables (table_name TEXT PRIMARY KEY)");
    former.close();
    const before = readFileSync(FILES.database(folder));
    const { code, said } = await start(folder);
    expect(said).toMatch(/^.*metaction\.db was written by a version before the first release.*\n$/);
    expect(code).toBe(2);
    expect(readFileSync(FILES.database(folder)).equals(before)).toBe(true);
  });

  test("with a file that is not a database, or of another program, is refused", async () => {
    const [text, other] = [createFolder(), createFolder()];
    writeFileSync(FILES.database(text), "This is a text.\n".repeat(100));
    expect(await start(text)).toMatchObject({ code: 2, said: expect.stringContaining("is not a SQLite database") });
    const database = new DatabaseSync(FILES.database(other));
    database.exec("CREATE TABLE theirs (a TEXT)");
    database.close();
    expect(await start(other)).toMatchObject({ code: 2, said: expect.stringContaining("database of another program") });
  });

  test("can be read by no other account", async () => {
    if (process.getuid?.() !== 0 || asNobody("true").status !== 0) {
      process.stdout.write("another account is tried by root alone, with setpriv\n");
      return;
    }
    const folder = createFolder();
    const service = await startProcess(folder);
    for (const file of [...(await readdir(folder)), "."]) {
      const path = join(folder, file);
      for (const command of [`cat ${path}`, `ls ${path}`, `cp /etc/hostname ${path}`]) {
        const { status, stdout } = asNobody(...command.split(" "));
        expect([command, status === 0, stdout]).toEqual([command, false, ""]);
      }
    }
    await service.interrupt();
  });
});

test("a service listens on the port of its API and on nothing else", async () => {
  if (process.platform !== "linux") {
    process.stdout.write("what a process listens on is looked up in /proc, which is not here\n");
    return;
  }
  const service = await startProcess();
  const fds = await readdir(`/proc/${service.pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${service.pid}/fd/${fd}`).catch(() => "")));
  const own = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const sockets = ["tcp", "tcp6", "udp", "udp6"].flatMap((kind) => {
    const lines = readFileSync(`/proc/${service.pid}/net/${kind}`, "utf8").trim().split("\n").slice(1);
    const rows = lines.map((line) => line.trim().split(/\s+/)).filter((row) => own.has(row[9]));
    // 0A is the state of listening; a UDP socket has none.
    return rows.filter((row) => kind.startsWith("udp") || row[3] === "0A").map((row) => [kind, row[1]]);
  });
  const port = Number(new URL(service.url).port).toString(16).toUpperCase().padStart(4, "0");
  expect(sockets).toEqual([["tcp", `0100007F:${port}`]]);
  const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, "utf8");
  expect(children.trim()).toBe("");
  await service.interrupt();
});

const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

const asNobody = (...words: readonly string[]) => spawnSync("setpriv", [...NOBODY, ...words], { encoding: "utf8" });
