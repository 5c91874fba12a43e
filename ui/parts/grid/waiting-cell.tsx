import type { ReactNode } from "react";
import styles from "./data-grid.module.css";

/** Stands in a cell until what it shows was read. */
export function WaitingCell(): ReactNode {
  return <span className={styles.waiting} />;
}
