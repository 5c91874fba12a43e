import { type Cardinality, type DiagramGraph, type DiagramRelationship, isDiamond } from "./diagram-graph.ts";

/** One end of a line: a box, and the row of it where there is one. */
export interface LineEnd {
  /** The id of an entity, or `diamondId` of a relationship. */
  readonly node: string;
  /** The attribute whose row the line ends at; the header where absent. */
  readonly attribute?: string | undefined;
  /** Absent at a diamond. */
  readonly cardinality?: Cardinality | undefined;
  /** The role as people read it. Absent at a diamond. */
  readonly role?: string | undefined;
  /** True where the role says more than the name of its entity. */
  readonly tellsMore?: boolean;
}

/** One line of a diagram. */
export interface DiagramLine {
  readonly id: string;
  readonly relationship: DiagramRelationship;
  readonly from: LineEnd;
  readonly to: LineEnd;
}

/** The node that stands for a relationship of three and more roles. */
export function diamondId({ id }: Pick<DiagramRelationship, "id">): string {
  return `diamond:${id}`;
}

/** The lines of a diagram: one for a relationship of two roles, one for each role of any other. */
export function linesOf(graph: DiagramGraph): readonly DiagramLine[] {
  const names = new Map(graph.entities.map(({ id, key, name }) => [id, [key, name ?? key]]));
  const ended = (relationship: DiagramRelationship, at: number): LineEnd => {
    const end = relationship.ends[at];
    if (!end) throw new Error(`relationship ${relationship.key} has no role at ${at}`);
    const role = end.name ?? end.key;
    const tellsMore = !(names.get(end.entity) ?? []).includes(role) && role !== end.attributes.join("_");
    return { node: end.entity, attribute: end.attributes[0], cardinality: end.cardinality, role, tellsMore };
  };
  return graph.relationships.flatMap((relationship): readonly DiagramLine[] => {
    if (!isDiamond(relationship)) {
      return [{ id: relationship.id, relationship, from: ended(relationship, 0), to: ended(relationship, 1) }];
    }
    const from = { node: diamondId(relationship) };
    return relationship.ends.map((_, at) => ({
      id: `${relationship.id}/${at}`,
      relationship,
      from,
      to: ended(relationship, at),
    }));
  });
}
