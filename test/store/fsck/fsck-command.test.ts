import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FILES } from "../../../local/sqlite/data-folder.ts";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { logPartition, objectsPartition, summaryKey } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { startProcess } from "../../support/local-process.ts";
import { type Ran, runProgram } from "../../support/run-program.ts";
import { createWorld } from "../../support/world.ts";
import { partition } from "../support/check-model.ts";
import { deletePeople } from "../support/fsck-world.ts";
import { sceneDocument } from "../support/scene.ts";

const fsck = (environment: Record<string, string>, ...words: string[]): Promise<Ran> =>
  runProgram("local/fsck.ts", environment, ...words);

async function inFolder<T>(folder: string, work: (table: Table) => Promise<T>): Promise<T> {
  const opened = openSqliteTable({ file: FILES.database(folder) }, Date.now);
  try {
    return await work(opened.connect(Number.POSITIVE_INFINITY));
  } finally {
    opened.close();
  }
}

describe("npm run fsck", () => {
  let folder: string;
  let here: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "metaction-fsck-"));
    here = { METACTION_DATA_DIR: folder };
    await inFolder(folder, async (table) => {
      const world = await createWorld({ table });
      await world.run("model/import", { content: sceneDocument("crm") });
      await world.run("model/model_create", { key: "other", name: "Other" });
      await deletePeople(table);
    });
  });

  test("accepts a consistent data folder, and ends with 0", async () => {
    const { code, out, said } = await fsck(here);
    expect(said).toMatch(/^Checked .*metaction\.db: \d+ items, 2 models, 0 deleted models\.\nNothing is wrong\.\n$/);
    expect({ code, out }).toEqual({ code: 0, out: "" });
  });

  test("reports violations and ends with 1, repairs them on request, and ends with 0", async () => {
    await inFolder(folder, async (table) => {
      const [crm, other] = await Promise.all(["crm", "other"].map((key) => table.get(summaryKey(key))));
      if (!crm || !other) throw new Error("the models are not listed");
      const [entry] = await partition(table, logPartition(String(crm.id)));
      const pk = objectsPartition(String(crm.id), String(entry?.generation));
      await table.batchDelete([{ pk, sk: "entity#order" }]);
      // The wrong row has to go before the right one can be written.
      await table.batchPut([{ ...crm, id: other.id }]);
    });
    const found = await fsck(here);
    expect(found.code).toBe(1);
    expect(found.said).toContain("object-missing: 1. Every object of the log is stored.");
    expect(found.said).toContain("--repair: It is written as in the log.");
    const told = await fsck(here, "--json");
    expect(told).toMatchObject({ code: 1, said: "" });
    const { findings } = JSON.parse(told.out) as { findings: readonly { code: string; pk: string; sk: string }[] };
    const codes = findings.map(({ code }) => code).sort();
    expect(codes).toEqual(["object-missing", "summary-differs", "summary-unexpected"]);
    expect(findings.find(({ code }) => code === "object-missing")).toMatchObject({ sk: "entity#order" });
    const mended = await fsck(here, "--repair");
    expect(mended.said).toContain("Repaired 3 of what was found.\nNothing is wrong.");
    expect(mended.code).toBe(0);
    const said = expect.stringMatching(/^--mend is deprecated; use --repair\.\n/);
    expect(await fsck(here, "--mend")).toMatchObject({ code: 0, said });
  });

  test("refuses in one sentence a folder with a running service, and checks it once that ended", {
    timeout: 60_000,
  }, async () => {
    const service = await startProcess(folder);
    const refused = await fsck(here);
    await service.interrupt();
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.said).toMatch(/^Another process uses .*metaction\.db: stop it, .*\n$/);
    expect(await fsck(here)).toMatchObject({ code: 0 });
  });

  test("ends with 2 and a sentence if there is nothing to check", async () => {
    const nowhere = await fsck({ METACTION_DATA_DIR: join(folder, "nowhere") });
    expect(nowhere).toMatchObject({ code: 2, out: "" });
    expect(nowhere.said).toMatch(/^There is no .*metaction\.db: set METACTION_DATA_DIR, .*\n$/);
    expect(await fsck(here, "--fix")).toMatchObject({ code: 2, out: "" });
  });
});
