import { CloseButton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../words/words.ts";
import icon from "./icon.svg";
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

interface PageBodyProps {
  readonly children: ReactNode;
  /** True for what is read rather than looked over: at most 1,120 pixels wide. */
  readonly isReading?: boolean;
}

/** What is below the head of a screen, with its margins. */
export function PageBody({ children, isReading = false }: PageBodyProps): ReactNode {
  return <div className={`${styles.body} ${isReading ? styles.reading : ""}`}>{children}</div>;
}

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
  const handleKey = (event: KeyboardEvent): void => {
    // What is pressed in a dialog that the panel opened comes here too.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && !event.defaultPrevented && isInside) close();
  };
  return (
    <aside ref={place} tabIndex={-1} className={styles.panel} aria-label={title} onKeyDown={handleKey}>
      <div className={styles.panelHead}>
        <h2>{heading ?? title}</h2>
        <CloseButton aria-label={say("close")} onClick={close} />
      </div>
      <div className={styles.panelBody}>{children}</div>
    </aside>
  );
}

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

/** How many there are, behind the name of a tab. */
export function Count({ children }: { readonly children: number }): ReactNode {
  return <span style={{ marginInlineStart: 4, color: "var(--mantine-color-dimmed)" }}>{children}</span>;
}

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

/** Scrolls a row of links until the one to the page that is shown is in sight; to be called with the row once it is drawn. */
export function showCurrent(row: HTMLElement | null): void {
  row?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
