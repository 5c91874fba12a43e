import type { ReactNode } from "react";
import type { DiagramGraph, Sign } from "../../../shared/diagram/diagram-graph.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import styles from "./diagram.module.css";
import { SignMark } from "./sign-mark.tsx";

const SIGNS: readonly Sign[] = ["added", "removed", "changed"];

/** Says which sign and colour means what, and how many entities and relationships have it. */
export function SignLegend({ graph }: { readonly graph: DiagramGraph }): ReactNode {
  const say = useDiagramWords();
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
