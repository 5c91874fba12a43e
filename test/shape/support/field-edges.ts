import { LIMITS, PROPERTY_LIMITS } from "../../../shared/domain/limits.ts";
import { type CheckedWorld, expectFaults, expectProblem, newKey } from "../../actions/support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType } from "../../actions/support/models.ts";

/** Tests a limit: a call at the limit succeeds, and a call above it fails. */
export type Edge = (world: CheckedWorld) => Promise<void>;

/** Sets properties of a new model in order; the last one exceeds a limit. */
async function setUntil(world: CheckedWorld, values: readonly unknown[], limit: number) {
  const { ref: modelRef } = await aModel(world);
  const payloads = values.map((value, i) => ({ modelRef, property: `p${i}`, value }));
  const over = payloads.pop();
  for (const payload of payloads) await world.ok("model/model_update_property", payload);
  const problem = await world.refused("model/model_update_property", over);
  expectProblem(problem, "too_large", String(limit));
  // A new value of an existing property does not change their number.
  await world.ok("model/model_update_property", { ...payloads[0], value: "" });
}

export const PROPERTY_EDGES: Readonly<Record<string, Edge>> = {
  propertiesPerObject: (world) =>
    setUntil(world, Array(PROPERTY_LIMITS.propertiesPerObject + 1).fill(1), PROPERTY_LIMITS.propertiesPerObject),
  propertiesBytes: async (world) => {
    const around = Buffer.byteLength('{"p0":""}');
    const more = Buffer.byteLength(',"p1":1');
    // The first two together reach the limit; a third exceeds it.
    const text = "é".repeat((PROPERTY_LIMITS.propertiesBytes - around - more) / 2);
    await setUntil(world, [text, 1, 1], PROPERTY_LIMITS.propertiesBytes);
    await setUntil(world, [`${text}x`, 1], PROPERTY_LIMITS.propertiesBytes);
  },
  propertyDepth: async (world) => {
    const { ref: modelRef } = await aModel(world);
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`);
    const payload = { modelRef, property: "deep" };
    await world.ok("model/model_update_property", { ...payload, value: nested(PROPERTY_LIMITS.propertyDepth) });
    const value = [nested(PROPERTY_LIMITS.propertyDepth)];
    const problem = await world.refused("model/model_update_property", { ...payload, value });
    expectFaults(problem, `/value/0${"/a/0".repeat(PROPERTY_LIMITS.propertyDepth / 2 - 1)}/a`);
  },
};

const ofConstraints =
  (at: object, over: object, below = ""): Edge =>
  async (world) => {
    const model = await aModel(world);
    const place = { model, entity: await anEntity(world, model), type: await aType(world, model) };
    const { ref: attributeRef } = await anAttribute(world, place);
    const on = { modelRef: model.ref, entityRef: place.entity.ref, attributeRef };
    await world.ok("model/entity_attribute_update_constraints", { ...on, value: at });
    // Constraints at the limit can also be imported.
    const content = await world.read("model/model_export", { modelRef: model.ref });
    await world.ok("model/import", { content, modelKey: newKey() });
    expectFaults(
      await world.refused("model/entity_attribute_update_constraints", { ...on, value: over }),
      `/value${below}`,
    );
  };

const ofBytes = (bytes: number): object => ({ default: "é".repeat((bytes - '{"default":""}'.length) / 2) });
const ofDepth = (levels: number): object => ({ default: JSON.parse("[".repeat(levels - 1) + "]".repeat(levels - 1)) });

/** The limits of the constraints of attributes. */
export const CONSTRAINT_EDGES: Readonly<Record<string, Edge>> = {
  constraintBytes: ofConstraints(ofBytes(LIMITS.constraintBytes), ofBytes(LIMITS.constraintBytes + 2)),
  constraintDepth: ofConstraints(
    ofDepth(LIMITS.constraintDepth),
    ofDepth(LIMITS.constraintDepth + 1),
    `/default${"/0".repeat(LIMITS.constraintDepth - 1)}`,
  ),
  patternCharacters: ofConstraints(
    { pattern: "x".repeat(LIMITS.patternCharacters) },
    { pattern: "x".repeat(LIMITS.patternCharacters + 1) },
    "/pattern",
  ),
};
