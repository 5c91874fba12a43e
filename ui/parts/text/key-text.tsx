import type { ReactNode } from "react";
import styles from "./editable-text.module.css";

/** Characters of a key that are shown before its middle is left out. */
const SHOWN = 48;

interface KeyTextProps {
  readonly value: string;
  /** Shown as the name where there is none. */
  readonly strong?: boolean;
  /** Characters that are shown; longer keys lose their middle, and tell the whole in their title. */
  readonly most?: number;
}

/** A key in the monospaced face; a long one breaks in the middle and is copied whole. */
export function KeyText({ value, strong = false, most = SHOWN }: KeyTextProps): ReactNode {
  const half = Math.floor((most - 1) / 2);
  const isLong = value.length > most;
  return (
    <bdi
      className={`${styles.key} ${strong ? styles.strong : ""}`}
      lang="en"
      data-key={value}
      {...(isLong && { title: value })}
      onCopy={(event) => {
        const chosen = globalThis.getSelection()?.toString() ?? "";
        if (!isLong || !chosen.includes("…")) return;
        event.preventDefault();
        event.clipboardData.setData(
          "text/plain",
          chosen.replace(`${value.slice(0, half)}…${value.slice(-half)}`, value),
        );
      }}
    >
      {isLong ? `${value.slice(0, half)}…${value.slice(-half)}` : value}
    </bdi>
  );
}

interface NamedProps {
  readonly name?: string | null | undefined;
  readonly objectKey: string;
}

/** A name with its key beside it; the key alone where there is no name, or the same one. */
export function Named({ name, objectKey }: NamedProps): ReactNode {
  if (!name || name === objectKey) return <KeyText value={objectKey} strong />;
  return (
    <>
      <span lang="en" dir="auto">
        {name}
      </span>{" "}
      <KeyText value={objectKey} />
    </>
  );
}
