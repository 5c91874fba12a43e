import { type ReactNode, useMemo } from "react";
import { type ComparedEntry, mergeComparison, type Side } from "../../../shared/diagram/compared-model.ts";
import type { DiagramGraph, Sign } from "../../../shared/diagram/diagram-graph.ts";
import { toDiamondId } from "../../../shared/diagram/diagram-nodes.ts";
import { createGraph, type DiagramDocument } from "../../../shared/diagram/graph-of-model.ts";
import { useWords } from "../../words/words.ts";
import { EmptyState } from "../empty-state.tsx";
import styles from "./diagram.module.css";
import { type Choice, DiagramCanvas } from "./diagram-canvas.tsx";
import { DiagramSkeleton } from "./diagram-skeleton.tsx";
import { SignMark } from "./sign-mark.tsx";
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
  const say = useWords("diagram");
  const graph = useMemo(() => {
    const { document, signs } = mergeComparison(base, entries, side);
    return createGraph(document, signs);
  }, [base, entries, side]);
  const differing = useMemo(() => {
    const lines = graph.relationships.filter(({ sign }) => sign);
    const ends = lines.flatMap((relationship) => relationship.ends.map((end) => end.entity));
    const own = graph.entities.filter(({ sign }) => sign).map(({ id }) => id);
    return new Set([...own, ...ends, ...lines.map(toDiamondId)]);
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

const SIGNS: readonly Sign[] = ["added", "removed", "changed"];

/** Says which sign and colour means what, and how many entities and relationships have it. */
function SignLegend({ graph }: { readonly graph: DiagramGraph }): ReactNode {
  const say = useWords("diagram");
  const all = [...graph.entities, ...graph.relationships];
  return (
    <div className={styles.legend}>
      <ul className={styles.legendList} aria-label={say("signs")}>
        {SIGNS.map((sign) => (
          <li key={sign} className={styles.signItem}>
            <SignMark sign={sign} isSilent />
            {say(sign)} {all.filter((one) => one.sign === sign).length}
          </li>
        ))}
      </ul>
    </div>
  );
}
