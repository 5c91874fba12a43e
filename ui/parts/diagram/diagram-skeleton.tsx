import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { DelayedContent } from "../skeletons.tsx";

const BOXES = [
  [4, 18],
  [28, 8],
  [28, 52],
  [52, 26],
  [74, 14],
  [74, 58],
] as const;

interface DiagramSkeletonProps {
  readonly hasHead?: boolean;
}

/** Skeleton of a diagram while it is read and laid out. */
export function DiagramSkeleton({ hasHead = false }: DiagramSkeletonProps): ReactNode {
  return (
    <DelayedContent>
      {hasHead && <Skeleton height={26} width={220} m={24} />}
      <div style={{ position: "relative", height: "64vh" }}>
        {BOXES.map(([left, top]) => (
          <Skeleton
            key={`${left} ${top}`}
            radius={6}
            style={{ position: "absolute", left: `${left}%`, top: `${top}%`, width: "18%", height: "30%" }}
          />
        ))}
      </div>
    </DelayedContent>
  );
}
