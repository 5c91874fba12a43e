import { createStep, step, type UnitStep, type Units } from "./unit-step.ts";

const entry = (action: string, payload: object) => ({ group: "model", action, payload });

const batch = (variant: string, actions: readonly object[], units: Units): UnitStep =>
  createStep("batch/")("batch_run", variant, { actions }, units);

const A = { modelRef: "key:one" };
const B = { modelRef: "key:two" };
const E = { ...A, entityRef: "key:e" };
const attribute = (attributeKey: string) => ({ ...E, attributeKey, type: "key:t", optional: false });

/** The budget of batches. An entry that takes a key looks it up, which alone the write of its own would find taken. */
export const BATCH_STEPS: readonly UnitStep[] = [
  step("model_create", "for batches", { key: "one", name: "One" }, [8, 2, 3]),
  step("model_create", "for batches, another", { key: "two", name: "Two" }, [8, 2, 3]),
  batch("one entry", [entry("entity_create", { ...A, entityKey: "e" })], [6, 3, 5]),
  batch(
    "that names what it made",
    [
      entry("type_create", { ...A, typeKey: "t" }),
      entry("entity_attribute_create", { ...attribute("a"), type: "id:$1.id" }),
      entry("entity_attribute_create", attribute("b")),
      entry("entity_primary_key_update", { ...E, attributeRef: ["key:a", "id:$3.id"] }),
    ],
    [14, 9, 11],
  ),
  batch(
    "two models",
    [entry("entity_update_name", { ...E, value: "E" }), entry("entity_create", { ...B, entityKey: "e" })],
    [10, 6, 8],
  ),
  batch(
    "reads one model, writes another",
    [entry("entity_get", E), entry("type_create", { ...B, typeKey: "t" })],
    [6, 6, 8],
  ),
  batch("unchanged", [entry("entity_update_name", { ...E, value: "E" })], [0, 3, 4]),
  batch(
    "a model made and filled",
    [
      entry("model_create", { key: "three", name: "Three" }),
      entry("type_create", { modelRef: "id:$1.id", typeKey: "t" }),
      entry("entity_create", { modelRef: "key:three", entityKey: "e" }),
    ],
    [16, 5, 5],
  ),
  batch(
    "keys swapped",
    [
      entry("entity_create", { ...A, entityKey: "f" }),
      entry("entity_update_key", { ...E, value: "g" }),
      entry("entity_update_key", { ...A, entityRef: "key:f", value: "e" }),
    ],
    [10, 6, 8],
  ),
];
