import type { Planned } from "./plan-model.ts";
import type { LikelyRename } from "./plan-steps.ts";

/** What to do where a likely rename is one: a member of the document, or an action where the format has no such member. */
export function wayToRename({ objectType, from, to }: LikelyRename, { source, plan }: Planned): string {
  const was = from.at(-1) ?? "";
  if (source.isOwn) return `if it is, write "renamedFrom": ${JSON.stringify(was)} beside the key ${to}`;
  const model = `metaction models`;
  const ref = (key: string | undefined): string => quoted(`key:${key}`);
  const of = `--modelRef=${ref(plan.key)}`;
  const value = `--value=${quoted(to)}`;
  if (objectType === "entity") {
    return `if it is, first: ${model} entity_update_key ${of} --entityRef=${ref(was)} ${value}`;
  }
  const [owner] = from;
  const isOfRelationship = plan.steps?.some((step) => step.attributeKey === to && step.relationshipKey === owner);
  const kind = isOfRelationship ? "relationship" : "entity";
  const refs = `${of} --${kind}Ref=${ref(owner)} --attributeRef=${ref(was)}`;
  return `if it is, first: ${model} ${kind}_attribute_update_key ${refs} ${value}`;
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w:/.@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
