import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createChance, seedOf } from "../support/chance.ts";
import { becomeAdministrator, type Called, type LocalProcess, signIn, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";

const KILLED = Math.min(Number(process.env.METACTION_KILLS ?? 2), 20);
const TYPES = LIMITS.objectsPerCall + 100;
/** A kill comes this many milliseconds after a job was accepted, or its worker started anew, at the latest. */
const LATEST = 2_000;

const INTO = { into: "key:large", source: "shop" };

/** The source of a time; the first type is never changed in it. */
const documentOf = (time: number) => ({
  $schema: "urn:metaction:model:2",
  key: "large",
  types: Array.from({ length: TYPES }, (_, i) => ({ key: `t${i}`, description: i === 0 ? "Kept." : `Time ${time}.` })),
});

async function ended(service: LocalProcess, called: Called, token: string) {
  if (called.status !== 202) return { state: called.status === 200 ? "done" : "failed", body: called.body };
  for (;;) {
    // A process that is busy with the job may close a kept connection just as the question is sent on it.
    const { body } = await service
      .call("batch/job_get", { jobRef: called.body.job }, token)
      .catch(() => ({ body: { state: "running" } }));
    if (!["accepted", "running"].includes(body.state)) return { state: body.state, body: body.result ?? body.problem };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What there is: the descriptions of the source's types, which are of one time only, that of people, and the revision. */
async function found(service: LocalProcess, token: string): Promise<string> {
  const { items } = (await service.call("model/type_list", { modelRef: "key:large", limit: 1_000 }, token)).body;
  const { body } = await service.call("model/model_get", { modelRef: "key:large" }, token);
  const times = new Set(
    items.flatMap((one: { key: string; description: string }) => (one.key === "t0" ? [] : one.description)),
  );
  return `${[...times].join(" ")} ${body.description} Revision ${body.revision}.`;
}

test(
  "a source that a job merges into a model is merged completely or not at all after any kill, with its base, and users' changes are kept",
  async () => {
    const chance = createChance(seedOf("kills of imports into a model"));
    const folder = createFolder();
    let service = await startProcess(folder);
    let token = await becomeAdministrator(service);
    const call = (action: string, payload: object) => service.call(`model/${action}`, payload, token);
    const made = await call("import", { content: documentOf(0), source: "shop" });
    expect([made.status, (await ended(service, made, token)).state]).toEqual([202, "done"]);
    expect((await call("model_update_description", { modelRef: "key:large", value: "People's." })).status).toBe(200);
    const seen: string[] = [];
    for (let nth = 1; nth <= KILLED; nth++) {
      const before = `Time ${nth - 1}. People's. Revision ${nth + 1}.`;
      const after = `Time ${nth}. People's. Revision ${nth + 2}.`;
      const accepted = await call("import", { content: documentOf(nth), ...INTO });
      expect(accepted.status).toBe(202);
      for (let kill = 0; kill <= (nth + 1) % 2; kill++) {
        await new Promise((resolve) => setTimeout(resolve, chance.below(LATEST)));
        await service.kill();
        service = await startProcess(folder);
        token = await signIn(service);
        const now = await found(service, token);
        seen.push(now);
        expect([before, after]).toContain(now);
      }
      const { state, body } = await ended(service, accepted, token);
      expect([state, body.conflictCount, body.changed]).toEqual(["done", 0, true]);
      expect(await found(service, token)).toBe(after);
      // The base is that of the model: nothing of the same document is new.
      const again = await ended(service, await call("import", { content: documentOf(nth), ...INTO }), token);
      expect(again).toMatchObject({ state: "done", body: { changed: false, stepCount: 0, conflictCount: 0 } });
    }
    console.info(`found after each kill: ${seen.join(" ")}`);
    // What contradicts already is told at once; what people change while the job is at work, as the job's problem.
    const t1 = { modelRef: "key:large", typeRef: "key:t1" };
    expect((await call("type_update_description", { ...t1, value: "People's." })).status).toBe(200);
    const refused = await call("import", { content: documentOf(KILLED + 1), ...INTO });
    expect([refused.status, refused.body.code, refused.body.conflictCount]).toEqual([409, "merge_conflict", 1]);
    await call("type_update_description", { ...t1, value: `Time ${KILLED}.` });
    const accepted = await call("import", { content: documentOf(KILLED + 1), ...INTO });
    const edited = await call("type_update_description", { ...t1, value: "People's." });
    const { state, body } = await ended(service, accepted, token);
    const { description } = (await call("type_get", t1)).body;
    expect([accepted.status, edited.status, description]).toEqual([202, 200, "People's."]);
    if (state === "failed")
      expect(body).toMatchObject({ code: "merge_conflict", detail: expect.stringContaining("onConflict") });
    else expect(state).toBe("done");
    console.info(`an edit while the job was at work: ${state}`);
    await service.interrupt();
  },
  240_000 + KILLED * 120_000,
);
