import {
  type Cardinality,
  type DiagramAttribute,
  type DiagramEntity,
  type DiagramGraph,
  type DiagramRelationship,
  isDiamond,
} from "./diagram-graph.ts";
import { type Face, measureText } from "./diagram-text.ts";

/** Box of an entity, or diamond of a relationship, without position. */
export type DiagramNode =
  | { readonly is: "entity"; readonly id: string; readonly entity: DiagramEntity; readonly box: EntityBox }
  | { readonly is: "diamond"; readonly id: string; readonly relationship: DiagramRelationship };

/** Creates the nodes of a diagram: entities in order, then diamonds. */
export function createNodes({ entities, relationships }: DiagramGraph): readonly DiagramNode[] {
  return [
    ...entities.map((entity) => ({ is: "entity", id: entity.id, entity, box: createEntityBox(entity) }) as const),
    ...relationships
      .filter(isDiamond)
      .map((relationship) => ({ is: "diamond", id: toDiamondId(relationship), relationship }) as const),
  ];
}

/** Returns the size of a node in pixels. */
export function getNodeSize(node: DiagramNode): { readonly width: number; readonly height: number } {
  return node.is === "entity" ? node.box : { width: BOX.diamond, height: BOX.diamond };
}

/** An end of a line: a box, and optionally a row. */
export interface LineEnd {
  /** Id of an entity, or `toDiamondId` of a relationship. */
  readonly node: string;
  /** Attribute of the row. The line ends at the header if absent. */
  readonly attribute?: string | undefined;
  readonly cardinality?: Cardinality | undefined;
  readonly role?: string | undefined;
  /** True when the role says more than the name of its entity. */
  readonly isInformative?: boolean;
}

export interface DiagramLine {
  readonly id: string;
  readonly relationship: DiagramRelationship;
  readonly from: LineEnd;
  readonly to: LineEnd;
}

/** Returns the node id of a relationship with three or more roles. */
export function toDiamondId({ id }: Pick<DiagramRelationship, "id">): string {
  return `diamond:${id}`;
}

/** Creates the lines of a diagram: one for two roles, else one for each role. */
export function createLines(graph: DiagramGraph): readonly DiagramLine[] {
  const names = new Map(graph.entities.map(({ id, key, name }) => [id, [key, name ?? key]]));
  const createEnd = (relationship: DiagramRelationship, at: number): LineEnd => {
    const end = relationship.ends[at];
    if (!end) throw new Error(`relationship ${relationship.key} has no role at ${at}`);
    const role = end.name ?? end.key;
    const tellsMore = !(names.get(end.entity) ?? []).includes(role) && role !== end.attributes.join("_");
    return {
      node: end.entity,
      attribute: end.attributes[0],
      cardinality: end.cardinality,
      role,
      isInformative: tellsMore,
    };
  };
  return graph.relationships.flatMap((relationship): readonly DiagramLine[] => {
    if (!isDiamond(relationship)) {
      return [{ id: relationship.id, relationship, from: createEnd(relationship, 0), to: createEnd(relationship, 1) }];
    }
    const from = { node: toDiamondId(relationship) };
    return relationship.ends.map((_, at) => ({
      id: `${relationship.id}/${at}`,
      relationship,
      from,
      to: createEnd(relationship, at),
    }));
  });
}

/** Distances at which neighbours of an entity can be shown. */
export const DISTANCES = [1, 2, 3] as const;

/** Finds the nodes within a distance of an entity, including itself. */
export function findNodesWithin(
  { relationships }: DiagramGraph,
  entity: string,
  distance: number,
): ReadonlySet<string> {
  const nodeIds = new Set([entity]);
  for (let step = 0; step < distance; step++) {
    const before = new Set(nodeIds);
    for (const { ends } of relationships) {
      if (ends.some((end) => before.has(end.entity))) for (const end of ends) nodeIds.add(end.entity);
    }
  }
  const diamonds = relationships.filter(isDiamond).filter(({ ends }) => ends.every((end) => nodeIds.has(end.entity)));
  return new Set([...nodeIds, ...diamonds.map(toDiamondId)]);
}

export const MAX_ROWS = 12;

/** Measures of a box in pixels at full size. */
export const BOX = {
  least: 176,
  most: 304,
  header: 34,
  /** Added to the header if it has a key below the name. */
  keyLine: 16,
  row: 22,
  foot: 6,
  inset: 12,
  /** Space for the sign of the primary key before a row. */
  mark: 18,
  gap: 16,
  diamond: 44,
} as const;

export const FACES = {
  title: { size: 13, bold: true },
  key: { size: 11, mono: true },
  name: { size: 12 },
  nameKey: { size: 12, mono: true },
  type: { size: 11, mono: true },
  role: { size: 11 },
} as const satisfies Readonly<Record<string, Face>>;

/** Size in pixels and visible attributes of an entity. */
export interface EntityBox {
  readonly width: number;
  readonly height: number;
  readonly headerHeight: number;
  readonly rows: readonly DiagramAttribute[];
  readonly excess: number;
}

/** Returns true when the name differs from the key. */
export function hasOwnName({ key, name }: { readonly key: string; readonly name?: string | undefined }): boolean {
  return name !== undefined && name !== "" && name !== key;
}

/** Creates the box of an entity, with keys and joined attributes first. */
export function createEntityBox(entity: DiagramEntity): EntityBox {
  const rows = selectRows(entity.attributes);
  const excess = entity.attributes.length - rows.length;
  const headerHeight = BOX.header + (hasOwnName(entity) ? BOX.keyLine : 0);
  const lines = rows.length + (excess > 0 ? 1 : 0);
  const widest = Math.max(measureTitle(entity), ...rows.map(measureRow));
  return {
    width: Math.ceil(Math.min(BOX.most, Math.max(BOX.least, widest + 2 * BOX.inset)) / 2) * 2,
    height: headerHeight + (lines > 0 ? lines * BOX.row + BOX.foot : 0),
    headerHeight,
    rows,
    excess,
  };
}

/** Returns the middle of an attribute's row, or of the header if it is hidden. */
export function findRowMiddle({ rows, headerHeight, excess }: EntityBox, key: string | undefined): number {
  if (key === undefined) return headerHeight / 2;
  const at = rows.findIndex((row) => row.key === key);
  if (at >= 0) return headerHeight + (at + 0.5) * BOX.row;
  return excess > 0 ? headerHeight + (rows.length + 0.5) * BOX.row : headerHeight / 2;
}

function selectRows(attributes: readonly DiagramAttribute[]): readonly DiagramAttribute[] {
  if (attributes.length <= MAX_ROWS) return attributes;
  const rank = ({ sign, inKey, inPair }: DiagramAttribute) => (sign ? 0 : inKey ? 1 : inPair ? 2 : 3);
  const rows = new Set([...attributes].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_ROWS));
  return attributes.filter((attribute) => rows.has(attribute));
}

function measureTitle(entity: DiagramEntity) {
  const name = measureText(hasOwnName(entity) ? (entity.name ?? "") : entity.key, FACES.title);
  return Math.max(name, hasOwnName(entity) ? measureText(entity.key, FACES.key) : 0) + (entity.sign ? BOX.mark : 0);
}

function measureRow({ key, name, type }: DiagramAttribute) {
  const label = name && name !== key ? measureText(name, FACES.name) : measureText(key, FACES.nameKey);
  return BOX.mark + label + BOX.gap + measureText(type, FACES.type);
}
