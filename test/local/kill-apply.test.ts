import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { becomeAdministrator, signIn, startProcess } from "../support/local-process.ts";

/** The number of kills, of which the soak makes more. */
const KILLS = Number(process.env.METACTION_KILLS ?? 3);
/** So many that a generation is published. */
const TYPES = 2_000;

/** Milliseconds before a kill, in turn. */
const MOMENTS = [150, 400, 1_200, 3_000];

const documentOf = (time: number) => ({
  $schema: "urn:metaction:model:2",
  key: "large",
  types: Array.from({ length: TYPES }, (_, i) => ({ key: `t${i}`, description: `Time ${time}.` })),
});

test(
  "a document that is applied during a kill is applied completely or not at all",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "metaction-kill-apply-"));
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    const first = { modelKey: "large", create: true, content: documentOf(0) };
    expect((await service.call("model/model_apply", first, token)).status).toBe(200);
    let [time, revision] = [0, 1];
    const found: string[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const applying = service
        .call("model/model_apply", { modelRef: "key:large", content: documentOf(kill) }, token)
        .then(({ status }) => status === 200)
        .catch(() => false);
      await new Promise((resolve) => setTimeout(resolve, MOMENTS[kill % MOMENTS.length]));
      await service.kill();
      const isAcknowledged = await applying;
      service = await startProcess(folder);
      token = await signIn(service);
      const { body } = await service.call("model/model_export", { modelRef: "key:large" }, token);
      const said = new Set(body.types.map(({ description }: { description: string }) => description));
      expect([body.types.length, said.size]).toEqual([TYPES, 1]);
      const isNew = said.has(`Time ${kill}.`);
      if (!isNew) expect([said.has(`Time ${time}.`), isAcknowledged]).toEqual([true, false]);
      if (isNew) [time, revision] = [kill, revision + 1];
      const model = await service.call("model/model_get", { modelRef: "key:large" }, token);
      expect(model.body.revision).toBe(revision);
      found.push(isNew ? "all" : "nothing");
    }
    console.info(`of the documents under way at a kill there was ${found.join(", ")}`);
    await service.interrupt();
  },
  60_000 + KILLS * 20_000,
);
