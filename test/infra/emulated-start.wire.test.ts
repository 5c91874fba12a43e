import { afterAll, expect, test } from "vitest";
import { profileStart } from "../../bench/loaded-modules.ts";
import { toLambdaEvent } from "../http/support/transports.ts";
import { MODEL_KEY, startEmulatedCloud } from "./support/emulated-cloud.ts";
import { type DeployedFunction, startFunction } from "./support/emulated-function.ts";

const cloud = await startEmulatedCloud();
afterAll(() => cloud.stop());

const read = toLambdaEvent({ target: `/api/model/model_get?modelRef=key:${MODEL_KEY}`, headers: cloud.headers });

async function callOnce(deployed: DeployedFunction, event: object) {
  const running = await startFunction(deployed, { client: cloud.client });
  try {
    return await running.invoke(event);
  } finally {
    await running.stop();
  }
}

test("the dispatcher starts as deployed and reads a model over TLS; its phases follow one another", async () => {
  const { answer, times } = await callOnce(cloud.dispatcher, read);
  expect(answer).toMatchObject({ statusCode: 200 });
  expect(JSON.parse((answer as { body: string }).body)).toMatchObject({ key: MODEL_KEY });
  for (const figure of ["Wall", "Cpu"] as const) {
    const inOrder = (["booted", "loaded", "received", "answered"] as const).map((step) => times[`${step}${figure}`]);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(inOrder[0]).toBeGreaterThan(0);
  }
  expect(times.maxRssMegabytes).toBeGreaterThan(20);
});

test("a function with a constant answer runs beside it; a forged token is refused", async () => {
  expect((await callOnce(cloud.hello, read)).answer).toMatchObject({ statusCode: 200, body: "Hello World" });
  const forged = cloud.headers.authorization?.replace(/.{8}$/, "AAAAAAAA") ?? "";
  const event = toLambdaEvent({ target: "/api/auth/whoami", headers: { authorization: forged } });
  expect((await callOnce(cloud.dispatcher, event)).answer).toMatchObject({ statusCode: 401 });
});

test("a profile of a start names the inputs of the bundle", { timeout: 60_000 }, async () => {
  const modules = [...(await profileStart(cloud, read)).keys()];
  expect(modules).toContain("shared/store/table/dynamo.ts");
  expect(modules).toContain("node_modules/aws4/aws4.js");
  expect(modules.some((name) => name.startsWith("node:"))).toBe(true);
});
