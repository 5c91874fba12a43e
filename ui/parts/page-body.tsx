import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageBodyProps {
  readonly children: ReactNode;
  /** True for what is read rather than looked over: at most 1,120 pixels wide. */
  readonly isReading?: boolean;
}

/** What is below the head of a screen, with its margins. */
export function PageBody({ children, isReading = false }: PageBodyProps): ReactNode {
  return <div className={`${styles.body} ${isReading ? styles.reading : ""}`}>{children}</div>;
}
