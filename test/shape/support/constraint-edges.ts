import { LIMITS } from "../../../shared/domain/limits.ts";
import { expectFaults, newKey } from "../../actions/support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType } from "../../actions/support/models.ts";
import type { Edge } from "./edge.ts";

/** Constraints of an attribute at a limit and over it. */
const ofConstraints =
  (at: object, over: object, below = ""): Edge =>
  async (world) => {
    const model = await aModel(world);
    const place = { model, entity: await anEntity(world, model), type: await aType(world, model) };
    const { ref: attributeRef } = await anAttribute(world, place);
    const on = { modelRef: model.ref, entityRef: place.entity.ref, attributeRef };
    await world.ok("model/entity_attribute_update_constraints", { ...on, value: at });
    // What is written at the limit can be taken elsewhere.
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
