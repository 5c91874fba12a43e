import { EdgeLabelRenderer, type EdgeProps, useStore } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import type { DiagramLine } from "../../../shared/diagram/diagram-nodes.ts";
import { type Curve, findMiddle, formatCurve } from "../../../shared/diagram/geometry.ts";
import { createRoleLabel, formatLineEnds } from "../../../shared/diagram/line-marks.ts";
import styles from "./diagram.module.css";
import type { FlowEdge } from "./flow-elements.ts";
import { useDetail, useIsHighlighted } from "./highlight.tsx";
import { SignMark } from "./marks.tsx";

/** Relationship line; highlighted, it also has roles and key pairs. */
export const LineEdge = memo(
  function LineEdge({ data, selected }: EdgeProps<FlowEdge>): ReactNode {
    const detail = useDetail();
    const isPointedAt = useIsHighlighted(data?.line.relationship.id ?? "");
    if (!data) return null;
    const { line, curve, isFaded } = data;
    const isStrong = isPointedAt || selected === true;
    const path = formatCurve(curve);
    return (
      <g
        className={styles.line}
        data-sign={line.relationship.sign}
        data-strong={isStrong || undefined}
        data-detail={detail}
      >
        <path d={path} className={styles.reach} />
        <path d={path} className={styles.stroke} />
        {detail !== "boxes" && <path d={formatLineEnds(line, curve)} className={styles.feet} />}
        {((detail === "full" && !isFaded) || isStrong) && <Roles line={line} curve={curve} all={isStrong} />}
        {isStrong && line.from.role !== undefined && <LineLabel line={line} curve={curve} />}
      </g>
    );
  },
  (a, b) => a.data === b.data && a.selected === b.selected,
);

interface OfLine {
  readonly line: DiagramLine;
  readonly curve: Curve;
}

function Roles({ line, curve, all }: OfLine & { readonly all: boolean }) {
  return (["from", "to"] as const).map((side) => {
    const label = all || line[side].isInformative ? createRoleLabel(line, side, curve) : undefined;
    return (
      label && (
        <text key={side} x={label.x} y={label.y} textAnchor={label.anchor} className={styles.role} lang="en">
          {label.text}
        </text>
      )
    );
  });
}

function LineLabel({ line, curve }: OfLine) {
  const { x, y } = findMiddle(curve);
  // Keeps the text readable at any zoom.
  const scale = useStore(({ transform }) => Math.max(1, 1 / transform[2]));
  const { name, key, ends, sign } = line.relationship;
  const [one, other] = ends;
  return (
    <EdgeLabelRenderer>
      <div
        className={styles.label}
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale}) translate(-50%, calc(-100% - 8px))` }}
        lang="en"
      >
        <div className="truncate strong" dir="auto">
          {sign && <SignMark sign={sign} />}
          {name || key}
        </div>
        {one?.attributes.map((attribute, at) => (
          <div key={attribute} className="truncate mono">
            {attribute} = {other?.attributes[at]}
          </div>
        ))}
      </div>
    </EdgeLabelRenderer>
  );
}
