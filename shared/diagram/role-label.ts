import { directionOf, FOOT } from "./crows-feet.ts";
import type { DiagramLine } from "./diagram-lines.ts";
import { FACES } from "./entity-box.ts";
import { type Curve, rounded } from "./geometry.ts";
import { fittedText } from "./text-width.ts";

/** What the name of a role may take beside the end of its line, in pixels. */
const ROOM = 92;

/** The name of a role beside the end of its line. */
export interface RoleLabel {
  /** As it fits. */
  readonly text: string;
  readonly x: number;
  /** The base line. */
  readonly y: number;
  readonly width: number;
  readonly anchor: "start" | "end";
}

/** The place of the name of a role: over its line, past the marks of the cardinality; undefined at a diamond. */
export function roleLabel(line: DiagramLine, side: "from" | "to", curve: Curve): RoleLabel | undefined {
  const { role } = line[side];
  const ends = side === "from" ? curve.slice(0, 2) : curve.slice(-2).reverse();
  const [end, handle] = ends;
  if (role === undefined || !end || !handle) return undefined;
  const away = directionOf(end, handle);
  return {
    text: fittedText(role, FACES.role, ROOM),
    x: rounded(end.x + (away.x < 0 ? -1 : 1) * (FOOT + 2)),
    y: rounded(end.y - 5),
    width: ROOM + 8,
    anchor: away.x < 0 ? "end" : "start",
  };
}
