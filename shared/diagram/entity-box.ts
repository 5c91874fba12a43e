import type { DiagramAttribute, DiagramEntity } from "./diagram-graph.ts";
import { type Face, textWidth } from "./text-width.ts";

/** How many attributes the box of an entity shows. */
export const MOST_ROWS = 12;

/** The measures of a box, in pixels at full size. */
export const BOX = {
  least: 176,
  most: 304,
  header: 34,
  /** Added to the header where a key stands below the name. */
  keyLine: 16,
  row: 22,
  foot: 6,
  inset: 12,
  /** For the sign of the primary key before a row. */
  mark: 18,
  /** Between a name and its type. */
  gap: 16,
  /** Edge length of the square that holds a diamond. */
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

/** The box of an entity: its size in pixels and the attributes it shows. */
export interface EntityBox {
  readonly width: number;
  readonly height: number;
  readonly headerHeight: number;
  readonly rows: readonly DiagramAttribute[];
  /** How many attributes it does not show. */
  readonly hidden: number;
}

/** True where a name says something that the key does not. */
export function hasOwnName({ key, name }: { readonly key: string; readonly name?: string | undefined }): boolean {
  return name !== undefined && name !== "" && name !== key;
}

/** The size of the box of an entity and its rows: those of keys and joins first in line, all in declared order. */
export function entityBox(entity: DiagramEntity): EntityBox {
  const rows = shownRows(entity.attributes);
  const hidden = entity.attributes.length - rows.length;
  const headerHeight = BOX.header + (hasOwnName(entity) ? BOX.keyLine : 0);
  const lines = rows.length + (hidden > 0 ? 1 : 0);
  const widest = Math.max(titleWidth(entity), ...rows.map(rowWidth));
  return {
    width: Math.ceil(Math.min(BOX.most, Math.max(BOX.least, widest + 2 * BOX.inset)) / 2) * 2,
    height: headerHeight + (lines > 0 ? lines * BOX.row + BOX.foot : 0),
    headerHeight,
    rows,
    hidden,
  };
}

/** The middle of the row of an attribute, from the top of its box; of the header where it is not shown. */
export function rowMiddle({ rows, headerHeight, hidden }: EntityBox, key: string | undefined): number {
  if (key === undefined) return headerHeight / 2;
  const at = rows.findIndex((row) => row.key === key);
  if (at >= 0) return headerHeight + (at + 0.5) * BOX.row;
  return hidden > 0 ? headerHeight + (rows.length + 0.5) * BOX.row : headerHeight / 2;
}

function shownRows(attributes: readonly DiagramAttribute[]): readonly DiagramAttribute[] {
  if (attributes.length <= MOST_ROWS) return attributes;
  const rank = ({ sign, inKey, inPair }: DiagramAttribute): number => (sign ? 0 : inKey ? 1 : inPair ? 2 : 3);
  const chosen = new Set([...attributes].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_ROWS));
  return attributes.filter((attribute) => chosen.has(attribute));
}

function titleWidth(entity: DiagramEntity): number {
  const name = textWidth(hasOwnName(entity) ? (entity.name ?? "") : entity.key, FACES.title);
  return Math.max(name, hasOwnName(entity) ? textWidth(entity.key, FACES.key) : 0) + (entity.sign ? BOX.mark : 0);
}

function rowWidth({ key, name, type }: DiagramAttribute): number {
  const label = name && name !== key ? textWidth(name, FACES.name) : textWidth(key, FACES.nameKey);
  return BOX.mark + label + BOX.gap + textWidth(type, FACES.type);
}
