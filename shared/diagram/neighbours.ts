import { type DiagramGraph, isDiamond } from "./diagram-graph.ts";
import { diamondId } from "./diagram-lines.ts";

/** The distances at which neighbours of an entity can be shown. */
export const DISTANCES = [1, 2, 3] as const;

/** The nodes at most so many relationships away from an entity, itself among them, with the diamonds between them. */
export function nodesWithin({ relationships }: DiagramGraph, entity: string, distance: number): ReadonlySet<string> {
  const reached = new Set([entity]);
  for (let step = 0; step < distance; step++) {
    const before = new Set(reached);
    for (const { ends } of relationships) {
      if (ends.some((end) => before.has(end.entity))) for (const end of ends) reached.add(end.entity);
    }
  }
  const diamonds = relationships.filter(isDiamond).filter(({ ends }) => ends.every((end) => reached.has(end.entity)));
  return new Set([...reached, ...diamonds.map(diamondId)]);
}
