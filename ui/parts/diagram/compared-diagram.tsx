import { type ReactNode, useMemo } from "react";
import { type ComparedEntry, comparedModel, type Side } from "../../../shared/diagram/compared-model.ts";
import { diamondId } from "../../../shared/diagram/diagram-lines.ts";
import { type DiagramDocument, graphOfModel } from "../../../shared/diagram/graph-of-model.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import { EmptyState } from "../empty-state.tsx";
import { type Choice, DiagramCanvas } from "./diagram-canvas.tsx";
import { DiagramSkeleton } from "./diagram-skeleton.tsx";
import { SignLegend } from "./sign-legend.tsx";
import { useDiagram } from "./use-diagram.ts";

interface ComparedDiagramProps {
  /** The document of one side; what only the other side has is taken from the entries. */
  readonly base: DiagramDocument;
  /** Which side it is. */
  readonly side?: Side;
  /** The entries of `model_compare`. */
  readonly entries: readonly ComparedEntry[];
  readonly chosen?: Choice | undefined;
  readonly choose?: (choice: Choice | undefined) => void;
  /** True to fade what is the same on both sides. */
  readonly fadesSame?: boolean;
}

const ignore = (): void => {};
const noTag = (): undefined => undefined;

/** Both sides of a comparison in one diagram: added, removed and changed told by sign and colour. It fills what it is in. */
export function ComparedDiagram(props: ComparedDiagramProps): ReactNode {
  const { base, side = "right", entries, chosen, choose = ignore, fadesSame = false } = props;
  const say = useDiagramWords();
  const graph = useMemo(() => {
    const { document, signs } = comparedModel(base, entries, side);
    return graphOfModel(document, signs);
  }, [base, entries, side]);
  const differing = useMemo(() => {
    const lines = graph.relationships.filter(({ sign }) => sign);
    const ends = lines.flatMap((relationship) => relationship.ends.map((end) => end.entity));
    const own = graph.entities.filter(({ sign }) => sign).map(({ id }) => id);
    return new Set([...own, ...ends, ...lines.map(diamondId)]);
  }, [graph]);
  const { diagram, reason } = useDiagram(graph);
  if (graph.entities.length === 0) return <EmptyState title={say("emptyTitle")} text={say("emptyText")} />;
  if (reason !== undefined) return <EmptyState title={say("failed")} text={reason} />;
  if (!diagram) return <DiagramSkeleton />;
  const shown = fadesSame && differing.size > 0 ? differing : undefined;
  return (
    <DiagramCanvas
      diagram={diagram}
      chosen={chosen}
      choose={choose}
      shown={shown}
      tagOf={noTag}
      legend={<SignLegend graph={graph} />}
    />
  );
}
