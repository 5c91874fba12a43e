import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { becomeAdministrator, type LocalProcess, signIn, startProcess } from "../support/local-process.ts";

/** How many kills there are. */
const KILLS = Math.min(Number(process.env.METACTION_KILLS ?? 2), 20);
/** More than one call may write. */
const TYPES = LIMITS.objectsPerCall + 100;

const documentOf = (time: number) => ({
  $schema: "urn:metaction:model:2",
  key: "large",
  types: Array.from({ length: TYPES }, (_, i) => ({ key: `t${i}`, description: `Time ${time}.` })),
});

/** The state that a job ends in. */
async function ended(service: LocalProcess, jobRef: string, token: string): Promise<string> {
  for (;;) {
    // A process that is busy with the job may close a kept connection just as the question is sent on it.
    const state = await service.call("batch/job_get", { jobRef }, token).then(
      ({ body }) => String(body.state),
      () => "running",
    );
    if (!["accepted", "running"].includes(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The descriptions there are, which are those of one time only. */
async function timesOf(service: LocalProcess, token: string): Promise<readonly string[]> {
  const { items } = (await service.call("model/type_list", { modelRef: "key:large", limit: 1_000 }, token)).body;
  const { body } = await service.call("model/model_get", { modelRef: "key:large" }, token);
  return [
    ...new Set<string>(items.map((one: { description: string }) => one.description)),
    `revision ${body.revision}`,
  ];
}

test(
  "a document that a job applies is applied completely or not at all after a kill, and completely after the next worker",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "metaction-kill-apply-"));
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    const made = await service.call(
      "model/model_apply",
      { modelKey: "large", create: true, content: documentOf(0) },
      token,
    );
    expect(made.status).toBe(202);
    expect(await ended(service, made.body.job, token)).toBe("done");
    const found: string[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const { status, body } = await service.call(
        "model/model_apply",
        { modelRef: "key:large", content: documentOf(kill) },
        token,
      );
      expect(status).toBe(202);
      await new Promise((resolve) => setTimeout(resolve, 300 * kill));
      await service.kill();
      service = await startProcess(folder);
      token = await signIn(service);
      const [time, revision] = await timesOf(service, token);
      found.push(`${time} ${revision}`);
      expect([`Time ${kill - 1}. revision ${kill}`, `Time ${kill}. revision ${kill + 1}`]).toContain(
        `${time} ${revision}`,
      );
      expect(await ended(service, body.job, token)).toBe("done");
      expect(await timesOf(service, token)).toEqual([`Time ${kill}.`, `revision ${kill + 1}`]);
    }
    console.info(`found after each kill: ${found.join(", ")}`);
    await service.interrupt();
  },
  180_000 + KILLS * 60_000,
);
