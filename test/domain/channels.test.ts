import { expect, test } from "vitest";
import { toCommandGroup } from "../../shared/domain/channels.ts";

test("only the group of models has another name on the command line", () =>
  expect(["auth", "batch", "model", "tag"].map(toCommandGroup)).toEqual(["auth", "batch", "models", "tag"]));
