import type { ReactNode } from "react";
import { SIGN_MARKS } from "../../../shared/diagram/diagram-colours.ts";
import type { Sign } from "../../../shared/diagram/diagram-graph.ts";
import { useWords } from "../../words/words.ts";
import styles from "./diagram.module.css";

interface SignMarkProps {
  readonly sign: Sign;
  /** True where the word stands beside it. */
  readonly isSilent?: boolean;
}

/** The sign of what a comparison found, told to screen readers as a word. */
export function SignMark({ sign, isSilent = false }: SignMarkProps): ReactNode {
  const say = useWords("diagram");
  const spoken = isSilent ? { "aria-hidden": true } : { role: "img", "aria-label": say(sign), title: say(sign) };
  return (
    <span className={styles.sign} data-sign={sign} {...spoken}>
      {SIGN_MARKS[sign]}
    </span>
  );
}
