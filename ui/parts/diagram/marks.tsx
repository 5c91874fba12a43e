import type { ReactNode } from "react";
import { SIGN_MARKS } from "../../../shared/diagram/diagram-colours.ts";
import type { Sign } from "../../../shared/diagram/diagram-graph.ts";
import { useWords } from "../../words/words.ts";
import styles from "./diagram.module.css";

interface SignMarkProps {
  readonly sign: Sign;
  /** True if the word is next to it. */
  readonly isSilent?: boolean;
}

/** Sign of a comparison status, with its word for screen readers. */
export function SignMark({ sign, isSilent = false }: SignMarkProps): ReactNode {
  const say = useWords("diagram");
  const labelProps = isSilent ? { "aria-hidden": true } : { role: "img", "aria-label": say(sign), title: say(sign) };
  return (
    <span className={styles.sign} data-sign={sign} {...labelProps}>
      {SIGN_MARKS[sign]}
    </span>
  );
}

/** Key icon of an attribute in the primary key. */
export function KeyMark(): ReactNode {
  const say = useWords("diagram");
  return (
    <svg
      width="13"
      height="10"
      viewBox="0 0 13 10"
      role="img"
      aria-label={say("inPrimaryKey")}
      fill="none"
      stroke="currentcolor"
      strokeWidth="1.2"
    >
      <path d="M3.5,5m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0M6.5,5h6m-2,0v3m-2.5,-3v2.5" />
    </svg>
  );
}
