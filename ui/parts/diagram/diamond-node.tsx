import type { NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { BOX } from "../../../shared/diagram/entity-box.ts";
import { useDetail } from "./detail.tsx";
import styles from "./diagram.module.css";
import { Ends, isSameNode } from "./entity-node.tsx";
import type { FlowNode } from "./flow-elements.ts";
import { SignMark } from "./sign-mark.tsx";

const HALF = BOX.diamond / 2;

/** A relationship of three and more roles. */
export const DiamondNode = memo(function DiamondNode({ data, selected }: NodeProps<FlowNode>): ReactNode {
  const detail = useDetail();
  const { node, isFaded } = data;
  if (node.is !== "diamond") return null;
  const { relationship } = node;
  return (
    <div className={styles.diamond} data-sign={relationship.sign} data-selected={selected || undefined}>
      <Ends />
      <svg width={BOX.diamond} height={BOX.diamond} aria-hidden="true">
        <polygon points={`${HALF},1 ${BOX.diamond - 1},${HALF} ${HALF},${BOX.diamond - 1} 1,${HALF}`} />
      </svg>
      {detail === "full" && !isFaded && (
        <div className={styles.below} lang="en" dir="auto">
          {relationship.sign && <SignMark sign={relationship.sign} />}
          {relationship.name || relationship.key}
        </div>
      )}
    </div>
  );
}, isSameNode);
