import type { ActionDescription } from "./description.ts";

/** The endings by which an action shows that what stands before is a kind of object. */
const OF_KINDS = /_(?:create|get|list)$/;

/** Actions under the kinds of objects that they are about; those about no kind come last, without one. */
export function byKind(
  actions: readonly ActionDescription[],
): readonly (readonly [kind: string | undefined, actions: readonly ActionDescription[]])[] {
  const kinds = [...new Set(actions.flatMap(({ name }) => (OF_KINDS.test(name) ? [name.replace(OF_KINDS, "")] : [])))];
  const longest = kinds.toSorted((a, b) => b.length - a.length);
  const kindOf = ({ name }: ActionDescription): string | undefined =>
    longest.find((kind) => name.startsWith(`${kind}_`));
  const byEach = Map.groupBy(actions, kindOf);
  return [...kinds, undefined].flatMap((kind) => {
    const own = byEach.get(kind);
    return own ? [[kind, own] as const] : [];
  });
}
