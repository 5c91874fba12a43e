import type { ReactNode } from "react";
import type { DiagramDocument } from "../../../shared/diagram/graph-of-model.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, refOf } from "../../api/refs.ts";
import type { Difference, SideName } from "../../parts/changed/difference-place.ts";
import { DiagramSkeleton } from "../../parts/diagram/diagram-skeleton.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { type MomentText, momentOf } from "../../parts/moment.ts";
import { openedLater } from "../../parts/opened-later.tsx";
import styles from "./compare.module.css";
import { fileNameOf } from "./dropped-file.ts";
import type { Sides } from "./places.ts";

const ComparedDiagram = openedLater(
  async () => (await import("../../parts/diagram/compared-diagram.tsx")).ComparedDiagram,
  () => <DiagramSkeleton />,
);

/** The side that a diagram of both is drawn on, and the state of a model that it is. */
export interface DrawnSide {
  readonly side: SideName;
  readonly modelRef: RefText;
  readonly at: MomentText | undefined;
}

/** The side that a diagram of both is drawn on: the right one unless it is a file; undefined where both are. */
export function drawnSide(sides: Sides): DrawnSide | undefined {
  for (const side of ["right", "left"] as const) {
    const { of, at } = sides[side];
    if (of !== undefined && fileNameOf(of) === undefined) return { side, modelRef: refOf(of), at };
  }
  return undefined;
}

interface DifferenceDiagramProps {
  readonly drawn: DrawnSide;
  readonly entries: readonly Difference[];
}

/** Both sides of a comparison in one diagram. */
export function DifferenceDiagram({ drawn, entries }: DifferenceDiagramProps): ReactNode {
  const { side, modelRef, at } = drawn;
  const document = useRead("model/model_export", { modelRef, ...momentOf(at) });
  return (
    <div className={styles.diagram}>
      <Loaded read={document} skeleton={<DiagramSkeleton />}>
        {(base) => (
          <>
            {/* The client's types of an answer are wider than those of the document that it is. */}
            <ComparedDiagram base={base as unknown as DiagramDocument} side={side} entries={entries} />
          </>
        )}
      </Loaded>
    </div>
  );
}
