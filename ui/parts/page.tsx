import { CloseButton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { createContext, type KeyboardEvent, type ReactNode, use, useEffect, useRef } from "react";
import { useWords } from "../words/words.ts";
import icon from "./icon.svg";
import styles from "./page.module.css";

interface PageHeaderProps {
  readonly title: string;
  readonly heading?: ReactNode;
  /** Links to the parent pages, outermost first. */
  readonly crumbs?: readonly ReactNode[];
  readonly state?: ReactNode;
  readonly actions?: ReactNode;
}

/** Head of every screen: path, title, state and actions. */
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
                // The parts of a path keep their order.
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a path have no names
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
      {actions && <div className="wrap">{actions}</div>}
    </header>
  );
}

interface PageBodyProps {
  readonly children: ReactNode;
  /** True for reading content: at most 1,120 pixels wide. */
  readonly isReading?: boolean;
}

/** Content of a screen below its head, with margins. */
export function PageBody({ children, isReading = false }: PageBodyProps): ReactNode {
  return <div className={`${styles.body} ${isReading ? styles.reading : ""}`}>{children}</div>;
}

/** Contents side by side; one below the other if a column would be narrower than 256 pixels. */
export function Columns({ children }: { readonly children: ReactNode }): ReactNode {
  const gridTemplateColumns = "repeat(auto-fit, minmax(min(100%, 16rem), 1fr))";
  return <div style={{ display: "grid", gap: "var(--mantine-spacing-md)", gridTemplateColumns }}>{children}</div>;
}

interface SplitViewProps {
  readonly children: ReactNode;
  readonly panel?: ReactNode;
}

/** Screen with a panel on the right for the selected object. */
export function SplitView({ children, panel }: SplitViewProps): ReactNode {
  return (
    <div className={styles.split}>
      <div className="shrink grow">{children}</div>
      {panel}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Panel of the selected object, 380 pixels wide; the whole page on phones. Escape closes it. */
export function Panel({ title, heading, close, children }: PanelProps): ReactNode {
  const say = useWords("frame");
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the panel takes the focus when its object changes
  useEffect(() => {
    const from = document.activeElement;
    // A click on a row keeps the focus in its cell; opening by keyboard moves it to the panel.
    if (from?.closest("[role=grid]") && (from.matches("input, select") || !from.matches(":focus-visible"))) return;
    box.current?.focus({ preventScroll: true });
  }, [title]);
  const handleKey = (event: KeyboardEvent) => {
    // Keys pressed in a dialog of the panel arrive here too.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && !event.defaultPrevented && isInside) close();
  };
  return (
    <aside ref={box} tabIndex={-1} className={styles.panel} aria-label={title} onKeyDown={handleKey}>
      <div className={styles.panelHead}>
        <h2>{heading ?? title}</h2>
        <CloseButton aria-label={say("close")} onClick={close} />
      </div>
      <div className={styles.panelBody}>
        <SectionTitle value="h3">{children}</SectionTitle>
      </div>
    </aside>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Element of the titles of sections; those of a panel are below its own title. */
const SectionTitle = createContext<"h2" | "h3">("h2");

/** Section of a page or a panel with its own title. */
export function Section({ title, count, actions, children }: SectionProps): ReactNode {
  const Title = use(SectionTitle);
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <Title>
          {title} {count !== undefined && <span className="quiet digits regular">{count}</span>}
        </Title>
        {actions && <div className={styles.sectionActions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Count after the label of a tab. */
export function Count({ children }: { readonly children: number }): ReactNode {
  return <span style={{ marginInlineStart: 4, color: "var(--mantine-color-dimmed)" }}>{children}</span>;
}

interface BarePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Page without the rail, before signing in. */
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

/** Scrolls a row of links to the one of the current page. Use it as the ref of the row. */
export function showCurrent(row: HTMLElement | null): void {
  row?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
