import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import type { DiagramDocument } from "../../layout/graph-of-model.ts";
import type { Difference, SideName } from "../../parts/changed/difference-place.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { momentOf } from "../../parts/moment.ts";
import { openedLater } from "../../parts/opened-later.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import styles from "./compare.module.css";
import { fileNameOf } from "./dropped-file.ts";
import type { Sides } from "./places.ts";

const ComparedDiagram = openedLater(
  async () => (await import("../../parts/diagram/compared-diagram.tsx")).ComparedDiagram,
  () => <TableSkeleton />,
);

/** The side that a diagram of both is drawn on: the right one unless it is a file; undefined where both are. */
export function drawnSide(sides: Sides): SideName | undefined {
  const isModel = ({ of }: Sides["left"]): boolean => of !== undefined && fileNameOf(of) === undefined;
  if (isModel(sides.right)) return "right";
  return isModel(sides.left) ? "left" : undefined;
}

interface DifferenceDiagramProps {
  readonly sides: Sides;
  readonly side: SideName;
  readonly entries: readonly Difference[];
}

/** Both sides of a comparison in one diagram. */
export function DifferenceDiagram({ sides, side, entries }: DifferenceDiagramProps): ReactNode {
  const { of, at } = sides[side];
  const document = useRead("model/model_export", { modelRef: refOf(of ?? ""), ...momentOf(at) });
  return (
    <div className={styles.diagram}>
      <Loaded read={document} skeleton={<TableSkeleton />}>
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
