import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import icon from "./icon.svg";
import styles from "./page.module.css";

interface BarePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without the rail, for those who are not signed in yet. */
export function BarePage({ title, children }: BarePageProps): ReactNode {
  useDocumentTitle(`${title} · Metaction`);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src={icon} alt="" width={32} height={32} />
          <h1>{title}</h1>
        </div>
        <div className={styles.bareBody}>{children}</div>
      </div>
    </main>
  );
}
