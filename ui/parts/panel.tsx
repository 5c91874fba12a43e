import { CloseButton } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../words/words.ts";
import styles from "./page.module.css";

interface SplitProps {
  readonly children: ReactNode;
  /** The panel of what is selected, if anything is. */
  readonly panel?: ReactNode;
}

/** A screen with a panel at its right for the thing selected, so that what is on the left stays where it is. */
export function Split({ children, panel }: SplitProps): ReactNode {
  return (
    <div className={styles.split}>
      <div className={styles.content}>{children}</div>
      {panel}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  /** Drawn in the place of the title. */
  readonly heading?: ReactNode;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The panel of the thing selected: 380 pixels at the right, the whole page on phones. Escape closes it. */
export function Panel({ title, heading, close, children }: PanelProps): ReactNode {
  const say = useWords("frame");
  const place = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes to the panel when it is of another thing
  useEffect(() => {
    const from = document.activeElement;
    // Whoever clicks a row of a table may go on typing in its cell; who opens it by keyboard goes to the panel.
    if (from?.closest("[role=grid]") && (from.matches("input, select") || !from.matches(":focus-visible"))) return;
    place.current?.focus({ preventScroll: true });
  }, [title]);
  const pressed = (event: KeyboardEvent): void => {
    // What is pressed in a dialog that the panel opened comes here too.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && !event.defaultPrevented && isInside) close();
  };
  return (
    <aside ref={place} tabIndex={-1} className={styles.panel} aria-label={title} onKeyDown={pressed}>
      <div className={styles.panelHead}>
        <h2>{heading ?? title}</h2>
        <CloseButton aria-label={say("close")} onClick={close} />
      </div>
      <div className={styles.panelBody}>{children}</div>
    </aside>
  );
}
