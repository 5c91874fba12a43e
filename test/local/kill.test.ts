import { expect, test } from "vitest";
import { FILES } from "../../local/sqlite/data-folder.ts";
import { createChance, seedOf } from "../support/chance.ts";
import { becomeAdministrator, type LocalProcess, signIn, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { type Filled, followLog } from "./support/write-ahead-log.ts";

const KILLS = Number(process.env.METACTION_KILLS ?? 5);
const CLIENTS = 8;
/** Milliseconds of writing before a kill, in turn. */
const MOMENTS = [150, 40, 320, 90, 210];
const momentOf = (kill: number) => MOMENTS[kill % MOMENTS.length] ?? 0;
const PATIENCE_MS = 60_000 + KILLS * 12_000;

const logOf = (folder: string) => followLog(`${FILES.database(folder)}-wal`);

/** Writes until the service is gone; the keys of all acknowledged writes. `acknowledge` is told of each. */
async function writeUntilGone(
  service: LocalProcess,
  token: string,
  model: string,
  acknowledge: () => void,
): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const client = async (name: string) => {
    for (let n = 0; ; n++) {
      const entityKey = `${name}_${n}`;
      try {
        const { status } = await service.call("model/entity_create", { modelRef: `key:${model}`, entityKey }, token);
        if (status !== 200) continue;
        acknowledge();
        acknowledged.push(entityKey);
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(`c${i}`)));
  return acknowledged;
}

async function foundKeys(service: LocalProcess, token: string, model: string): Promise<readonly string[]> {
  const filters = { items: [{ type: "text", condition: "contains", value: "c" }] };
  const { body } = await service.call("model/search", { filters, models: [`key:${model}`] }, token);
  const rows: readonly { readonly location: { readonly entityKey?: string } }[] = body.items;
  return rows.flatMap(({ location }) => location.entityKey ?? []).sort();
}

async function searchUntilGone(service: LocalProcess, token: string) {
  try {
    for (;;) await service.call("model/search", { filters: {} }, token);
  } catch {
    // It is gone.
  }
}

/** Waits for bytes in the log that nobody was told of, for a while. */
async function untilAhead(log: ReturnType<typeof logOf>, written: () => Filled) {
  for (let looks = 0; looks < 100; looks++) {
    const [before, now] = [written(), log.filled()];
    if (now.generation !== before.generation || now.end > before.end) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test(
  "every write that was acknowledged before a kill is there after the restart, though the bytes after it are torn, and the log has no gap",
  async () => {
    const random = createChance(seedOf("kill while entities are created")).next;
    const folder = createFolder();
    const log = logOf(folder);
    const torn: string[] = [];
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    let total = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const model = `m${kill}`;
      await service.call("model/model_create", { key: model, name: model }, token);
      let written = log.filled();
      const writing = writeUntilGone(service, token, model, () => {
        written = log.filled();
      });
      // The index of searches is written meanwhile, so that a kill may come in the middle of that.
      const searching = searchUntilGone(service, token);
      await new Promise((resolve) => setTimeout(resolve, momentOf(kill)));
      await untilAhead(log, () => written);
      await service.kill();
      const acknowledged = await writing;
      await searching;
      total += acknowledged.length;
      torn.push(log.tear(written, random));
      service = await startProcess(folder);
      token = await signIn(service);
      const { body } = await service.call("model/model_export", { modelRef: `key:${model}` }, token);
      const there = new Set(body.entities.map((e: { key: string }) => e.key));
      expect(acknowledged.filter((key) => !there.has(key))).toEqual([]);
      expect(await foundKeys(service, token, model)).toEqual([...there].sort());
      // One revision each for the model and its entities: nothing was half applied.
      const model_ = await service.call("model/model_get", { modelRef: `key:${model}` }, token);
      expect(model_.body.revision).toBe(1 + there.size);
    }
    console.info(`${total} writes acknowledged; torn after each kill: ${torn.join(", ")}`);
    expect(total).toBeGreaterThan(0);
    await service.interrupt();
  },
  PATIENCE_MS,
);

test("an import during a kill is there completely or not at all", { timeout: PATIENCE_MS }, async () => {
  const random = createChance(seedOf("kill while a model is imported")).next;
  const folder = createFolder();
  const log = logOf(folder);
  let service = await startProcess(folder);
  let token = await becomeAdministrator(service);
  const fields = Array.from({ length: 4_000 }, (_, i) => ({ name: `f${i}`, type: "string" }));
  const outcomes: number[] = [];
  const torn: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    let written = log.filled();
    const importing = service
      .call("model/import", { content: { name: `i${kill}`, fields } }, token)
      .then(({ status }) => {
        written = log.filled();
        return status === 200;
      })
      .catch(() => false);
    await new Promise((resolve) => setTimeout(resolve, momentOf(kill) * 4));
    await service.kill();
    const acknowledged = await importing;
    torn.push(log.tear(written, random));
    service = await startProcess(folder);
    token = await signIn(service);
    const { status, body } = await service.call("model/model_export", { modelRef: `key:i${kill}` }, token);
    const count = status === 404 ? 0 : body.entities[0].attributes.length;
    outcomes.push(count);
    expect(acknowledged ? [4_000] : [0, 4_000]).toContain(count);
  }
  console.info(`attributes found after each kill: ${outcomes.join(", ")}; torn: ${torn.join(", ")}`);
  await service.interrupt();
});
