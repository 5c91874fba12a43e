import { expect, test } from "vitest";
import { REFERENCE_MEGABYTES, scaleLimit } from "../../shared/domain/limits.ts";

test("the caches of a process grow with its memory, from their limits at 512 MB", () =>
  expect([undefined, REFERENCE_MEGABYTES, 1_024, 128].map((size) => scaleLimit(100, size))).toEqual([
    100, 100, 200, 25,
  ]));
