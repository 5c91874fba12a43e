import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { ModelHead } from "../../parts/model-head.tsx";
import { Late } from "../../parts/skeletons.tsx";

const BOXES = [
  [4, 18],
  [28, 8],
  [28, 52],
  [52, 26],
  [74, 14],
  [74, 58],
] as const;

interface DiagramSkeletonProps {
  /** Draws the head of the model too, where it is not there yet. */
  readonly modelRef?: string;
}

/** The shape of a diagram while it is read and laid out. */
export function DiagramSkeleton({ modelRef }: DiagramSkeletonProps): ReactNode {
  return (
    <>
      {modelRef && <ModelHead modelRef={modelRef} />}
      <Late>
        <div style={{ position: "relative", height: "64vh" }}>
          {BOXES.map(([left, top]) => (
            <Skeleton
              key={`${left} ${top}`}
              radius={6}
              style={{ position: "absolute", left: `${left}%`, top: `${top}%`, width: "18%", height: "30%" }}
            />
          ))}
        </div>
      </Late>
    </>
  );
}
