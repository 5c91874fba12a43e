import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useChangesWords } from "../../words/changes.ts";
import styles from "./text-diff.module.css";
import { type DiffLine, textDiff, withGaps } from "./text-diff.ts";

const SIGNS = { same: "", gone: "−", new: "+" } as const;
const ELEMENTS = { same: "span", gone: "del", new: "ins" } as const;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  /** What the texts are, for those who hear the page. */
  readonly label: string;
}

/** The difference of two texts by lines; words that differ in a changed line are marked, equal lines far away left out. */
export function TextDiff({ before, after, label }: TextDiffProps): ReactNode {
  const say = useChangesWords();
  const lines = useMemo(() => textDiff(before, after), [before, after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  return (
    // biome-ignore lint/a11y/useSemanticElements: a difference has no element of its own
    <div className={styles.diff} role="group" aria-label={say("differenceOf", { member: label })}>
      {withGaps(lines).map((part) => {
        if (!("left" in part)) return <Line key={lineKey(part)} line={part} />;
        if (opened.has(part.at)) {
          return lines.slice(part.at, part.at + part.left).map((line) => <Line key={lineKey(line)} line={line} />);
        }
        return (
          <UnstyledButton
            key={`gap ${part.at}`}
            className={styles.gap}
            onClick={() => setOpened(new Set([...opened, part.at]))}
          >
            {say("gapLines", { count: part.left })}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

const lineKey = ({ before, after }: DiffLine): string => `${before ?? ""}:${after ?? ""}`;

function Line({ line: { sign, runs } }: { readonly line: DiffLine }): ReactNode {
  const Element = ELEMENTS[sign];
  return (
    <div className={styles.line} data-sign={sign}>
      <span className={styles.sign} aria-hidden>
        {SIGNS[sign]}
      </span>
      <Element className={styles.text} lang="en" dir="auto">
        {runs.map(({ text, isMarked }, at) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs of a line have no other names
            <mark key={at}>{text}</mark>
          ) : (
            text
          ),
        )}
      </Element>
    </div>
  );
}
