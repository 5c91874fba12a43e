import { expect, test } from "vitest";
import { largeDocument } from "../support/large-writes.ts";
import { readyScene, sceneDocument, WRITE_CASES } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const faulty = useFaultyWorld();

const PINNED = WRITE_CASES.filter(({ begins }) => !begins);

test.each(
  PINNED.map((one) => [one.name, one] as const),
)("%s with If-Match runs at that revision only, whenever another commit comes", async (name, one) => {
  for (let nth = 1; ; nth++) {
    const scene = `scene-${nth}`;
    const { id: modelId } = writtenBody(await faulty.quiet.call("import", { content: sceneDocument(scene) }));
    let disturbed = false;
    // Touches nothing that the write reads, but for the model's revision; what comes after the write is none of its concern.
    const unconcerned = async () => {
      if (faulty.table.trace.some(({ operation }) => operation === "transactWrite")) return;
      disturbed = true;
      const payload = { modelRef: `id:${modelId}`, entityRef: "key:order", value: "Orders" };
      writtenBody(await faulty.quiet.call("entity_update_name", payload));
    };
    const revision = await readyScene(name, scene, async (action, payload) =>
      writtenBody(await faulty.quiet.call(action, payload)),
    );
    faulty.table.arm({ pageRows: 4, rules: [{ match: { nth }, do: { before: unconcerned } }] });
    const control = { ifMatch: [{ ledgerId: modelId, revision }] };
    const { problem } = await faulty.caller.call(name, one.payload(scene, `${scene}-new`, modelId), control);
    await faulty.table.settle();
    expect(problem?.code, `another commit before call ${nth}`).toBe(disturbed ? "precondition_failed" : undefined);
    const log = await faulty.opened.table.query({ pk: `log#${modelId}` });
    expect(log.items[0]).toMatchObject({ actions: ["model/import"] });
    expect(log.items.slice(revision).map(({ actions }) => actions)).toEqual([
      [disturbed ? "model/entity_update_name" : `model/${name}`],
    ]);
    if (!disturbed) break;
  }
});

const DRY_RUNS = [
  ["type_create", { typeKey: "taken" }],
  ["type_update_key", { typeRef: "key:t00", value: "taken" }],
  ["test_describe_many", { value: "x", makes: "taken" }],
] as const;

/** Types that another commit makes: at the key that the dry run takes, or elsewhere. */
const OTHERS = ["taken", "elsewhere"];

test.for(
  DRY_RUNS.flatMap(([name, payload]) => OTHERS.map((typeKey) => [name, typeKey, payload] as const)),
)("a dry run of %s with If-Match answers the next revision, or the conflict with a commit of %s that comes first", async ([
  name,
  typeKey,
  payload,
]) => {
  const codes = new Set<string>();
  for (let nth = 1; ; nth++) {
    const modelRef = `key:crm-${nth}`;
    const { id: modelId } = writtenBody(await faulty.quiet.call("import", { content: largeDocument(`crm-${nth}`) }));
    const taking = async () => writtenBody(await faulty.quiet.call("type_create", { modelRef, typeKey }));
    faulty.table.arm({ rules: [{ match: { nth }, do: { before: taking } }] });
    const pinned = { dryRun: true, ifMatch: [{ ledgerId: modelId, revision: 1 }] };
    const { answer, problem } = await faulty.caller.call(name, { modelRef, ...payload }, pinned);
    const disturbed = faulty.table.trace.length >= nth;
    await faulty.table.settle();
    codes.add(problem?.code ?? "ok");
    // An answer that came too early to see the commit is right as well.
    if (problem) expect(problem, `before call ${nth}`).toMatchObject({ code: "precondition_failed" });
    else expect(answer?.body, `before call ${nth}`).toMatchObject({ dryRun: true, revision: 2 });
    if (!disturbed) break;
  }
  expect([...codes].sort()).toEqual(["ok", "precondition_failed"]);
});
