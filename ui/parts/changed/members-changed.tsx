import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useMemberWord, useWords } from "../../words/words.ts";
import styles from "./changed.module.css";
import { isShort, listMemberChanges, type MemberChange, type Members } from "./difference-path.ts";
import { addGaps, type DiffLine, diffTexts } from "./text-diff.ts";

interface MembersChangedProps {
  readonly before: Members | undefined;
  readonly after: Members | undefined;
  readonly only?: readonly string[] | undefined;
}

/** Changed members: short values side by side, texts as a diff. */
export function MembersChanged({ before, after, only }: MembersChangedProps): ReactNode {
  const say = useWords("changes");
  const label = useMemberWord();
  const changes = listMemberChanges(before, after, { yes: say("yes"), no: say("no") }, only);
  return (
    <dl className={styles.members}>
      {changes.map((change) => (
        <div key={change.member}>
          <dt>{label(change.member)}</dt>
          <dd>
            <Values
              change={change}
              label={label(change.member)}
              isChange={before !== undefined && after !== undefined}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValuesProps {
  readonly change: MemberChange;
  readonly label: string;
  readonly isChange: boolean;
}

function Values({ change: { before, after }, label, isChange }: ValuesProps) {
  const say = useWords("changes");
  if (!isChange) return <Value text={after ?? before ?? ""} />;
  if (!isShort(before) || !isShort(after)) return <TextDiff before={before ?? ""} after={after ?? ""} label={label} />;
  const emptyValue = <span className={styles.none}>{say("nothing")}</span>;
  return (
    <span className={styles.pair}>
      <del lang="en" dir="auto">
        {before ?? emptyValue}
      </del>
      <span aria-hidden className="quiet">
        →
      </span>
      <ins lang="en" dir="auto">
        {after ?? emptyValue}
      </ins>
    </span>
  );
}

function Value({ text }: { readonly text: string }) {
  return (
    <span lang="en" dir="auto" className="pre">
      {text}
    </span>
  );
}

const SIGNS = { same: "", gone: "−", new: "+" } as const;
const ELEMENTS = { same: "span", gone: "del", new: "ins" } as const;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

function TextDiff({ before, after, label }: TextDiffProps) {
  const say = useWords("changes");
  const lines = useMemo(() => diffTexts(before, after), [before, after]);
  const [openGaps, setOpenGaps] = useState<ReadonlySet<number>>(new Set());
  return (
    // biome-ignore lint/a11y/useSemanticElements: a diff has no HTML element
    <div className={styles.diff} role="group" aria-label={say("differenceOf", { member: label })}>
      {addGaps(lines).map((part) => {
        if (!("left" in part)) return <Line key={getLineKey(part)} line={part} />;
        if (openGaps.has(part.at)) {
          return lines.slice(part.at, part.at + part.left).map((line) => <Line key={getLineKey(line)} line={line} />);
        }
        return (
          <UnstyledButton
            key={`gap ${part.at}`}
            className={styles.gap}
            onClick={() => setOpenGaps(new Set([...openGaps, part.at]))}
          >
            {say("gapLines", { count: part.left })}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

const getLineKey = ({ before, after }: DiffLine) => `${before ?? ""}:${after ?? ""}`;

function Line({ line: { sign, runs } }: { readonly line: DiffLine }) {
  const Element = ELEMENTS[sign];
  return (
    <div className={styles.line} data-sign={sign}>
      <span className={styles.sign} aria-hidden>
        {SIGNS[sign]}
      </span>
      <Element className={styles.text} lang="en" dir="auto">
        {runs.map(({ text, isMarked }, at) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs of a line have no names
            <mark key={at}>{text}</mark>
          ) : (
            text
          ),
        )}
      </Element>
    </div>
  );
}
