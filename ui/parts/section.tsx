import type { ReactNode } from "react";
import styles from "./page.module.css";

interface SectionProps {
  readonly title: string;
  /** Stands behind the title. */
  readonly count?: number | undefined;
  /** Buttons at the end of the title's line. */
  readonly actions?: ReactNode;
  /** The level of the title; 2 unless given. */
  readonly level?: 2 | 3;
  readonly children: ReactNode;
}

/** A part of a page under a title of its own. */
export function Section({ title, count, actions, level = 2, children }: SectionProps): ReactNode {
  const Title = level === 2 ? "h2" : "h3";
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <Title>
          {title} {count !== undefined && <span className={styles.count}>{count}</span>}
        </Title>
        {actions && <div className={styles.sectionActions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
