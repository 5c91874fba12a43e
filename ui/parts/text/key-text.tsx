import type { ReactNode } from "react";
import styles from "./editable-text.module.css";

const MAX_LENGTH = 48;

interface KeyTextProps {
  readonly value: string;
  readonly strong?: boolean;
  /** Maximum characters; longer keys omit their middle and show the whole key in their title. */
  readonly most?: number;
}

/** Key in monospace; a long one omits its middle and is copied whole. */
export function KeyText({ value, strong = false, most = MAX_LENGTH }: KeyTextProps): ReactNode {
  const half = Math.floor((most - 1) / 2);
  const isLong = value.length > most;
  return (
    <bdi
      className={`${styles.key} ${strong ? styles.strong : ""}`}
      lang="en"
      data-key={value}
      {...(isLong && { title: value })}
      onCopy={(event) => {
        const selection = globalThis.getSelection()?.toString() ?? "";
        if (!isLong || !selection.includes("…")) return;
        event.preventDefault();
        event.clipboardData.setData(
          "text/plain",
          selection.replace(`${value.slice(0, half)}…${value.slice(-half)}`, value),
        );
      }}
    >
      {isLong ? `${value.slice(0, half)}…${value.slice(-half)}` : value}
    </bdi>
  );
}

interface ObjectNameProps {
  readonly name?: string | null | undefined;
  readonly objectKey: string;
}

/** Name followed by its key; only the key if the name is missing or equal. */
export function ObjectName({ name, objectKey }: ObjectNameProps): ReactNode {
  if (!name || name === objectKey) return <KeyText value={objectKey} strong />;
  return (
    <>
      <bdi lang="en">{name}</bdi> <KeyText value={objectKey} />
    </>
  );
}
