import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useWords } from "../words/words.ts";
import styles from "./page.module.css";

interface PageHeaderProps {
  /** What the page is about, also the title of the browser's tab. */
  readonly title: string;
  /** Drawn in the place of the title, such as a text to edit in place. */
  readonly heading?: ReactNode;
  /** Links to the places above this one, outermost first. */
  readonly crumbs?: readonly ReactNode[];
  /** Beside the title: key, version, state. */
  readonly state?: ReactNode;
  /** Two or three buttons. */
  readonly actions?: ReactNode;
}

/** The head of every screen: where it is, what it is, its state and its actions. */
export function PageHeader({ title, heading, crumbs = [], state, actions }: PageHeaderProps): ReactNode {
  const say = useWords("frame");
  useDocumentTitle(`${title} · Metaction`);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        {crumbs.length > 0 && (
          <nav aria-label={say("breadcrumb")}>
            <ol className={styles.crumbs}>
              {crumbs.map((crumb, at) => (
                // The places of a path keep their order.
                // biome-ignore lint/suspicious/noArrayIndexKey: a path has no other names
                <li key={at}>{crumb}</li>
              ))}
            </ol>
          </nav>
        )}
        <div className={styles.title}>
          <h1>{heading ?? title}</h1>
          {state}
        </div>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
