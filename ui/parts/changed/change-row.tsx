import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import styles from "./changed.module.css";
import { StatusSign } from "./signs.tsx";

/** A framed list of rows. */
export function ChangeRows({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={styles.changes}>{children}</div>;
}

interface ChangeRowProps {
  readonly id: string;
  readonly status: string;
  readonly kind: string;
  readonly children: ReactNode;
  readonly summary: string;
  readonly end?: ReactNode;
  /** Shown next to the row: a link, which a button cannot contain. */
  readonly trailing?: ReactNode;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** One change in one line; a click opens it. */
export function ChangeRow(props: ChangeRowProps): ReactNode {
  const { id, status, kind, children, summary, end, trailing, isChosen, choose } = props;
  return (
    <div className={styles.row} data-chosen={isChosen || undefined}>
      <UnstyledButton className={styles.change} aria-pressed={isChosen} id={id} onClick={choose}>
        <StatusSign status={status} />
        <span className={styles.kind}>{kind}</span>
        <span className={styles.name}>{children}</span>
        <span className={styles.summary} lang="en">
          {summary}
        </span>
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </UnstyledButton>
      {trailing !== undefined && <span className={styles.beside}>{trailing}</span>}
    </div>
  );
}

/** Name of the owner of an object, in front of the object's own name. */
export function OwnerName({ name }: { readonly name: string }): ReactNode {
  return (
    <span className="quiet" lang="en" dir="auto">
      {name} ›{" "}
    </span>
  );
}

interface MoreRowsProps {
  readonly count: number;
  readonly show: () => void;
}

/** Last row, which shows the hidden ones. */
export function MoreRows({ count, show }: MoreRowsProps): ReactNode {
  const say = useWords("changes");
  return (
    <UnstyledButton className={styles.more} onClick={show}>
      {say("showMore", { count })}
    </UnstyledButton>
  );
}
