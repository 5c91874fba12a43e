import type { Item } from "../seam.ts";
import { type SweepNote, sweepNoteOf } from "../sweep-notes.ts";
import { type Finding, remove } from "./finding.ts";
import { byLog, type Ground, type Place } from "./ground.ts";

/** A sweep note of this model, which must not name anything that is alive. */
export function notePlace(ground: Ground, { pk, sk }: Item): Place {
  return { key: { pk, sk }, judge: (item) => (item ? judgeNote(ground, item) : []) };
}

function judgeNote(ground: Ground, item: Item): Finding[] {
  const what = alive(ground, sweepNoteOf(item));
  if (what === undefined) return [];
  return [
    {
      code: "sweep-alive",
      place: { pk: item.pk, sk: item.sk },
      sentence: `a sweep is noted for ${what}, which by the log is alive`,
      mend: byLog(ground, "The note is deleted.", remove(item)),
    },
  ];
}

/** What of a living generation a note would take away. */
function alive({ head, byId }: Ground, { generation, owner }: SweepNote): string | undefined {
  if (head.state !== "live" || generation !== head.generation) return undefined;
  if (owner === undefined) return `the generation of the model ${head.key}`;
  const object = byId.get(owner);
  return object && `what belongs to the ${object.kind} ${object.key} of the model ${head.key}`;
}
