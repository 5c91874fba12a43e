import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";

/** The small key before an attribute of the primary key. */
export function KeyMark(): ReactNode {
  const say = useWords("diagram");
  return (
    <svg
      width="13"
      height="10"
      viewBox="0 0 13 10"
      role="img"
      aria-label={say("inKey")}
      fill="none"
      stroke="currentcolor"
      strokeWidth="1.2"
    >
      <path d="M3.5,5m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0M6.5,5h6m-2,0v3m-2.5,-3v2.5" />
    </svg>
  );
}
