import { expect } from "vitest";
import { PROPERTY_LIMITS } from "../../../shared/domain/limits.ts";
import { type CheckedWorld, expectFaults } from "../../actions/support/checked-world.ts";
import { aModel } from "../../actions/support/models.ts";

/** Gives a new model properties, one after the other; the last one is over a limit. */
async function setUntil(world: CheckedWorld, values: readonly unknown[], limit: number): Promise<void> {
  const { ref: modelRef } = await aModel(world);
  const payloads = values.map((value, i) => ({ modelRef, property: `p${i}`, value }));
  const over = payloads.pop();
  for (const payload of payloads) await world.ok("model/model_update_property", payload);
  const problem = await world.refused("model/model_update_property", over);
  expect(problem.code).toBe("too_large");
  expect(problem.message).toContain(String(limit));
  // Another value of one that is there makes none more.
  await world.ok("model/model_update_property", { ...payloads[0], value: "" });
}

/** The edges of the limits of properties. */
export const PROPERTY_EDGES = {
  propertiesPerObject: (world: CheckedWorld) =>
    setUntil(world, Array(PROPERTY_LIMITS.propertiesPerObject + 1).fill(1), PROPERTY_LIMITS.propertiesPerObject),
  propertiesBytes: async (world: CheckedWorld) => {
    const around = Buffer.byteLength('{"p0":""}');
    const more = Buffer.byteLength(',"p1":1');
    // The first one leaves room for just the second; a third has none.
    const text = "é".repeat((PROPERTY_LIMITS.propertiesBytes - around - more) / 2);
    await setUntil(world, [text, 1, 1], PROPERTY_LIMITS.propertiesBytes);
    await setUntil(world, [`${text}x`, 1], PROPERTY_LIMITS.propertiesBytes);
  },
  propertyDepth: async (world: CheckedWorld) => {
    const { ref: modelRef } = await aModel(world);
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`);
    const payload = { modelRef, property: "deep" };
    await world.ok("model/model_update_property", { ...payload, value: nested(PROPERTY_LIMITS.propertyDepth) });
    const value = [nested(PROPERTY_LIMITS.propertyDepth)];
    const problem = await world.refused("model/model_update_property", { ...payload, value });
    expectFaults(problem, `/value/0${"/a/0".repeat(PROPERTY_LIMITS.propertyDepth / 2 - 1)}/a`);
  },
};
