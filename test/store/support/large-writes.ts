import { createHash } from "node:crypto";
import { writtenOutput } from "../../../shared/actions/building/answers.ts";
import type { Action } from "../../../shared/actions/contract/action.ts";
import { defineAction } from "../../../shared/actions/contract/define-action.ts";
import { allowParam, requireParam } from "../../../shared/actions/contract/params.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { model } from "../../../shared/domain/kinds.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { type Change, createChange, deleteChange, updateChanges } from "../../../shared/domain/model/changes.ts";
import type { Type } from "../../../shared/domain/model/objects.ts";
import { markdown } from "../../../shared/domain/values/value-types.ts";
import { sceneDocument } from "./scene.ts";

/** Types of the scene that the large writes work on: enough for several batches. */
export const TYPES = 40;

export const typeKey = (i: number): string => `t${String(i).padStart(2, "0")}`;

/** The scene with many types in it. */
export function largeDocument(key: string): ModelDocument {
  const scene = sceneDocument(key);
  return { ...scene, types: [...scene.types, ...Array.from({ length: TYPES }, (_, i) => ({ key: typeKey(i) }))] };
}

/** Runs of the actions below, by the value they write. */
export const runs = new Map<string, number>();

const ran = (value: string) => void runs.set(value, (runs.get(value) ?? 0) + 1);

const texts = { title: "Large", description: "Large.", intent: "update", errors: ["key_taken"], example: {} } as const;
const common = { ...texts, group: "model", rule: "model_write", within: model, output: writtenOutput } as const;

/** A batch as callers make them: it reads and writes objects one by one. */
const describeMany = defineAction({
  ...common,
  name: "test_describe_many",
  input: {
    value: requireParam(markdown, "The description."),
    makes: allowParam(markdown, "Keys of new types, separated by commas."),
    count: allowParam(markdown, "How many more types to make."),
    removes: allowParam(markdown, "Key of an entity to remove."),
    version: allowParam(markdown, "A version to release."),
    small: allowParam(markdown, "Leaves it to the store how it is written."),
    long: allowParam(markdown, "Gives few types long descriptions, which are too large for a log entry."),
  },
  run: async ({ input, view, call }) => {
    ran(input.value);
    const changes: Change[] = [];
    const description = input.long === undefined ? input.value : longText(input.value);
    for (let i = 0; i < (input.long === undefined ? TYPES : LONG_TYPES); i++) {
      const found = await view.find("type", { scheme: "key", value: typeKey(i) });
      if (found) changes.push(...updateChanges(found, { description }));
    }
    const more = Array.from({ length: Number(input.count ?? 0) }, (_, i) => `n${i}`);
    for (const key of [...(input.makes ?? "").split(","), ...more].filter((k) => k !== "")) {
      const made: Type = { kind: "type", id: call.nextId(), key, revision: 0, description: input.value };
      changes.push(createChange(made));
    }
    const gone = input.removes && (await view.find("entity", { scheme: "key", value: input.removes }));
    if (gone) changes.push(deleteChange(gone, true));
    const root = await view.readModel();
    if (input.version !== undefined) changes.push(...updateChanges(root, { version: input.version }));
    return {
      subject: { id: root.id, key: root.key },
      changes,
      ...(input.version !== undefined && { release: input.version }),
      ...(input.small === undefined && { publish: true }),
    };
  },
});

const resetAll = defineAction({
  ...common,
  name: "test_reset_all",
  input: { value: requireParam(markdown, "The description.") },
  run: async ({ input, view }) => {
    ran(input.value);
    const { model: root, types } = await view.readContent(true);
    const many = new Set(Array.from({ length: TYPES }, (_, i) => typeKey(i)));
    const changes = types.flatMap((type): readonly Change[] => {
      if (many.has(type.key)) return updateChanges(type, { description: input.value });
      return ["integer", "string"].includes(type.key) ? [] : [deleteChange(type, false)];
    });
    return { subject: { id: root.id, key: root.key }, changes, publish: true };
  },
});

const renameTypes = defineAction({
  ...common,
  name: "test_rename_types",
  input: {
    from: requireParam(markdown, "Keys, separated by commas."),
    to: requireParam(markdown, "As many new ones."),
  },
  run: async ({ input, view }) => {
    const to = input.to.split(",");
    const changes: Change[] = [];
    for (const [i, value] of input.from.split(",").entries()) {
      const found = await view.find("type", { scheme: "key", value });
      if (found) changes.push(...updateChanges(found, { key: to[i] ?? value }));
    }
    const root = await view.readModel();
    return { subject: { id: root.id, key: root.key }, changes, publish: true };
  },
});

/** The number of types that get a long description in one commit. */
export const LONG_TYPES = 4;

/** A description of the largest size there is, which no compression makes much smaller. */
export function longText(value: string): string {
  const [length, digests] = [LIMITS.descriptionBytes - value.length - 1, [] as string[]];
  for (let i = 0; i * 43 < length; i++) digests.push(createHash("sha256").update(`${value} ${i}`).digest("base64url"));
  return `${value} ${digests.join("").slice(0, length)}`;
}

const LARGE: readonly Action[] = [describeMany, resetAll, renameTypes];

/** A service that has the large writes beside its own actions. */
export function withLargeWrites(service: Service): Service {
  const { registry } = service;
  return {
    ...service,
    registry: {
      ...registry,
      find: async (group, name) =>
        LARGE.find((a) => a.group === group && a.name === name) ?? registry.find(group, name),
    },
  };
}
