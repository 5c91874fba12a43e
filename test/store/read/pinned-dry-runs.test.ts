import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

const WRITES = [
  ["type_create", { typeKey: "taken" }],
  ["type_update_key", { typeRef: "key:t00", value: "taken" }],
  ["test_describe_many", { value: "x", makes: "taken" }],
] as const;

/** Types that another commit makes: at the key that the dry run takes, or elsewhere. */
const OTHERS = ["taken", "elsewhere"];

test.for(
  WRITES.flatMap(([name, payload]) => OTHERS.map((typeKey) => [name, typeKey, payload] as const)),
)("a dry run of %s with If-Match answers the next revision, or the conflict with a commit of %s that comes first", async ([
  name,
  typeKey,
  payload,
]) => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, quickAmbient(), withLargeWrites);
  const quiet = serviceOver(world, opened.table, quickAmbient());
  const codes = new Set<string>();
  for (let nth = 1; ; nth++) {
    const modelRef = `key:crm-${nth}`;
    const { id: modelId } = writtenBody(await quiet.call("import", { content: largeDocument(`crm-${nth}`) }));
    const taking = async (): Promise<void> => {
      writtenBody(await quiet.call("type_create", { modelRef, typeKey }));
    };
    table.arm({ rules: [{ match: { nth }, do: { before: taking } }] });
    const pinned = { dryRun: true, ifMatch: [{ ledgerId: modelId, revision: 1 }] };
    const { answer, problem } = await caller.call(name, { modelRef, ...payload }, pinned);
    const disturbed = table.trace.length >= nth;
    await table.settle();
    codes.add(problem?.code ?? "ok");
    // An answer that came too early to see the commit is right as well.
    if (problem) expect(problem, `before call ${nth}`).toMatchObject({ code: "precondition_failed" });
    else expect(answer?.body, `before call ${nth}`).toMatchObject({ dryRun: true, revision: 2 });
    if (!disturbed) break;
  }
  expect([...codes].sort()).toEqual(["ok", "precondition_failed"]);
});
