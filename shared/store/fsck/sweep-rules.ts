import { stagingItem, stagingOf } from "../log/stagings.ts";
import { type SweepNote, sweepNoteOf } from "../log/sweep-notes.ts";
import type { Item } from "../table/table.ts";
import { byLog, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { type Finding, putRight, remove } from "./finding.ts";

/** The rule for a sweep note of this model, which must not name anything that is live. */
export function noteRule(expected: ExpectedState, { pk, sk }: Item): ItemRule {
  return { key: { pk, sk }, judge: (item) => (item ? judgeNote(expected, item) : []) };
}

function judgeNote(expected: ExpectedState, item: Item): Finding[] {
  const what = alive(expected, sweepNoteOf(item));
  if (what === undefined) return [];
  return [
    {
      code: "sweep-alive",
      place: { pk: item.pk, sk: item.sk },
      sentence: `a sweep is noted for ${what}, which by the log is alive`,
      mend: byLog(expected, "The note is deleted.", remove(item)),
    },
  ];
}

/** The live thing that a sweep note would delete; undefined where there is none. */
function alive(
  { head, byId, blobs }: ExpectedState,
  { generation, owner, blobs: noted = [] }: SweepNote,
): string | undefined {
  const needed = noted.find((blob) => blobs.has(blob));
  if (needed !== undefined) return `the blob ${needed}, which the log of the model ${head.key} names`;
  if (head.state !== "live" || generation !== head.generation) return undefined;
  if (owner === undefined) return `the generation of the model ${head.key}`;
  const object = byId.get(owner);
  return object && `what belongs to the ${object.kind} ${object.key} of the model ${head.key}`;
}

/**
 * The rule for a staging of this model: one that is not marked as published will be given up and swept, whatever the
 * log says.
 */
export function stagingRule(expected: ExpectedState, { pk, sk }: Item): ItemRule {
  return { key: { pk, sk }, judge: (item) => (item ? judgeStaging(expected, item) : []) };
}

function judgeStaging(expected: ExpectedState, item: Item): Finding[] {
  const staging = stagingOf(item);
  const { generation, state, blobs, revision } = staging;
  // A staging of blobs alone goes when one of them is named.
  const published =
    revision === undefined ? expected.generations.has(generation) : blobs.some((blob) => expected.blobs.has(blob));
  if (!published || state === "published") return [];
  const right = putRight(item, stagingItem({ ...staging, state: "published" }));
  return [
    {
      code: "staging-alive",
      place: { pk: item.pk, sk: item.sk },
      sentence: `the staging of the generation ${generation} is ${state}, but by the log it was published`,
      mend: byLog(expected, "It is marked as published.", right),
    },
  ];
}
