import { step, type UnitStep } from "./unit-step.ts";

const M = { modelRef: "key:large" };
const T = { ...M, typeRef: "key:t" };
const long = (letter: string) => letter.repeat(99_000);

/** Budget of edits too large for a log entry: 194 units for the object, 2 for the entry, 2 per kB of changes. */
export const LARGE_STEPS: readonly UnitStep[] = [
  step("model_create", "for large edits", { key: "large", name: "Large" }, [8, 2, 3]),
  step("type_create", "for large edits", { ...M, typeKey: "t" }, [6, 2, 3]),
  step("type_update_description", "of 99 kB", { ...T, value: long("a") }, [198, 3, 4]),
  step("type_update_description", "of 99 kB, another", { ...T, value: long("b") }, [200, 27, 4]),
  step("type_update_description", "of 99 kB, a third", { ...T, value: long("c") }, [200, 27, 4]),
  step("type_update_description", "of 99 kB, a fourth", { ...T, value: long("d") }, [200, 27, 4]),
  step("model_get", "after four large edits", M, [0, 3, 3]),
  step("type_update_description", "of 1 kB after four large ones", { ...T, value: "e".repeat(900) }, [198, 27, 4]),
  step("model_delete", "of large edits", M, [10, 7, 5]),
];
