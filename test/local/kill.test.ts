import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { becomeAdministrator, type LocalProcess, signIn, startProcess } from "../support/local-process.ts";

/** In the soak there are many more. */
const KILLS = Number(process.env.METACTION_KILLS ?? 5);
const CLIENTS = 8;
/** Milliseconds of writing before a kill, in turn. */
const MOMENTS = [150, 40, 320, 90, 210];
const momentOf = (kill: number): number => MOMENTS[kill % MOMENTS.length] ?? 0;
const PATIENCE_MS = 60_000 + KILLS * 12_000;

const folderOf = () => mkdtemp(join(tmpdir(), "metaction-kill-"));

/** Writes until the service is gone; the keys of all acknowledged writes. */
async function writeUntilGone(service: LocalProcess, token: string, model: string): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const client = async (name: string): Promise<void> => {
    for (let n = 0; ; n++) {
      const entityKey = `${name}_${n}`;
      try {
        const { status } = await service.call("model/entity_create", { modelRef: `key:${model}`, entityKey }, token);
        if (status === 200) acknowledged.push(entityKey);
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(`c${i}`)));
  return acknowledged;
}

test(
  "every write acknowledged before a kill is there after the restart, and the log has no gap",
  async () => {
    const folder = await folderOf();
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    let total = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const model = `m${kill}`;
      await service.call("model/model_create", { key: model, name: model }, token);
      const writing = writeUntilGone(service, token, model);
      await new Promise((resolve) => setTimeout(resolve, momentOf(kill)));
      await service.kill();
      const acknowledged = await writing;
      total += acknowledged.length;
      service = await startProcess(folder);
      token = await signIn(service);
      const { body } = await service.call("model/model_export", { modelRef: `key:${model}` }, token);
      const there = new Set(body.entities.map((e: { key: string }) => e.key));
      expect(acknowledged.filter((key) => !there.has(key))).toEqual([]);
      // One revision each for the model and its entities: nothing was half applied.
      const model_ = await service.call("model/model_get", { modelRef: `key:${model}` }, token);
      expect(model_.body.revision).toBe(1 + there.size);
    }
    expect(total).toBeGreaterThan(0);
    await service.interrupt();
  },
  PATIENCE_MS,
);

test(
  "of an import under way at a kill there is nothing or all",
  async () => {
    const folder = await folderOf();
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    const fields = Array.from({ length: 4_000 }, (_, i) => ({ name: `f${i}`, type: "string" }));
    const outcomes: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const importing = service
        .call("model/import", { content: { name: `i${kill}`, fields } }, token)
        .then(({ status }) => status === 200)
        .catch(() => false);
      await new Promise((resolve) => setTimeout(resolve, momentOf(kill) * 4));
      await service.kill();
      const acknowledged = await importing;
      service = await startProcess(folder);
      token = await signIn(service);
      const { status, body } = await service.call("model/model_export", { modelRef: `key:i${kill}` }, token);
      const count = status === 404 ? 0 : body.entities[0].attributes.length;
      outcomes.push(count);
      expect(acknowledged ? [4_000] : [0, 4_000]).toContain(count);
    }
    console.info(`attributes found after each kill: ${outcomes.join(", ")}`);
    await service.interrupt();
  },
  PATIENCE_MS,
);
