import { useEffect, useState } from "react";

/** Milliseconds that a row has to be in sight before its cells read: rows that are scrolled past are not asked for. */
const PATIENCE = 150;

/** Rows that wait for their turn, in the order in which they came. */
const waiting = new Set<() => void>();
let isTaking = false;

/** Lets the rows have their turns one at a time: the page answers in between, however many came into sight together. */
function takeTurns(): void {
  const [first] = waiting;
  isTaking = first !== undefined;
  if (!first) return;
  waiting.delete(first);
  first();
  setTimeout(takeTurns);
}

function waitForTurn(turn: () => void): void {
  waiting.add(turn);
  if (!isTaking) takeTurns();
}

/** Whether a row has stayed in sight since it was drawn; false for ever where nobody asks. */
export function useStaying(isAsked: boolean): boolean {
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const turn = (): void => setStaying(true);
    const timer = setTimeout(() => waitForTurn(turn), PATIENCE);
    return () => {
      clearTimeout(timer);
      waiting.delete(turn);
    };
  }, [isAsked]);
  return isStaying;
}
