import { beforeEach, describe, expect, test } from "vitest";
import { Lost, type Seam } from "../../shared/store/table/table.ts";
import { directSeam } from "../simulation/support/direct-seam.ts";
import { createSimulatedTable } from "../simulation/support/simulated-table.ts";
import { createWorld, type World } from "../support/world.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { type Caller, serviceOver, writtenBody } from "./support/service-over.ts";

/** How long the items of a transaction stay invisible to queries, in milliseconds; a single get sees them at once. */
const HIDDEN_MS = 200;
const NEW_TYPE = { modelRef: "key:crm", typeKey: "time" };

let clock: ReturnType<typeof quickAmbient>;
let world: World;
let reader: Caller;
/** A process whose next commit is made and becomes visible slowly. */
let slowWriter: (answer: () => Promise<never>) => Caller;

beforeEach(async () => {
  clock = quickAmbient();
  const table = createSimulatedTable({ now: clock.now });
  const seam = directSeam(table);
  world = await createWorld({ seam, ambient: clock });
  await world.run("model/model_create", { key: "crm", name: "Customers" });
  await world.run("model/type_create", { modelRef: "key:crm", typeKey: "date" });
  reader = serviceOver(world, seam, clock);
  slowWriter = (answer) => {
    let isFirst = true;
    const transactWrite: Seam["transactWrite"] = async (writes) => {
      if (!isFirst) return seam.transactWrite(writes);
      isFirst = false;
      table.transactWrite(
        writes,
        writes.map(() => HIDDEN_MS),
      );
      return answer();
    };
    return serviceOver(world, { ...seam, transactWrite }, clock);
  };
});

/** The revision that another process is shown: one object that is there is read without asking what comes after it. */
async function shownRevision(): Promise<number> {
  const before = clock.now();
  const { answer } = await reader.call("type_get", { modelRef: "key:crm", typeRef: "key:date" });
  expect(clock.now()).toBe(before);
  return Number(answer?.etag?.split("-").at(-1));
}

describe("a commit of which not every item shows yet", () => {
  test("is told after a lost answer when every process is shown it", async () => {
    const writer = slowWriter(() => Promise.reject(new Lost("no answer")));
    expect(writtenBody(await writer.call("type_create", NEW_TYPE))).toMatchObject({ changed: true, revision: 3 });
    expect(await shownRevision()).toBe(3);
  });

  test("is told to a call with the same idempotency key when every process is shown it", async () => {
    const controls = { idempotencyKey: "once" };
    await new Promise<void>((written) => {
      const dying = async (): Promise<never> => {
        written();
        return new Promise(() => undefined);
      };
      void slowWriter(dying).call("type_create", NEW_TYPE, controls);
    });
    expect(await shownRevision()).toBe(2);
    const { answer } = await reader.call("type_create", NEW_TYPE, controls);
    expect(answer).toMatchObject({ replayed: true, body: { changed: true, revision: 3 } });
    expect(await shownRevision()).toBe(3);
  });
});
