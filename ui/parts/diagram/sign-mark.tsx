import type { ReactNode } from "react";
import { SIGN_MARKS } from "../../layout/diagram-colours.ts";
import type { Sign } from "../../layout/diagram-graph.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import styles from "./diagram.module.css";

/** The sign of what a comparison found, told to screen readers as a word. */
export function SignMark({ sign }: { readonly sign: Sign }): ReactNode {
  const say = useDiagramWords();
  return (
    <span className={styles.sign} data-sign={sign} role="img" aria-label={say(sign)} title={say(sign)}>
      {SIGN_MARKS[sign]}
    </span>
  );
}
