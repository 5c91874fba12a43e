import type { ReactNode } from "react";
import { useChangesWords, useMemberWord } from "../../words/changes.ts";
import { isShort, type MemberChange, type Members, memberChanges } from "./member-values.ts";
import styles from "./members-changed.module.css";
import { TextDiff } from "./text-diff-lines.tsx";

interface MembersChangedProps {
  /** The members as they were; undefined of an object that was not there. */
  readonly before: Members | undefined;
  readonly after: Members | undefined;
  /** The names of those that differ; all unless given. */
  readonly only?: readonly string[] | undefined;
}

/** What the members of an object were and are: short values side by side, texts as a difference by lines. */
export function MembersChanged({ before, after, only }: MembersChangedProps): ReactNode {
  const say = useChangesWords();
  const label = useMemberWord();
  const changes = memberChanges(before, after, { yes: say("yes"), no: say("no") }, only);
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
  /** False where the object came or went as a whole. */
  readonly isChange: boolean;
}

function Values({ change: { before, after }, label, isChange }: ValuesProps): ReactNode {
  const say = useChangesWords();
  if (!isChange) return <Value text={after ?? before ?? ""} />;
  if (!isShort(before) || !isShort(after)) return <TextDiff before={before ?? ""} after={after ?? ""} label={label} />;
  const none = <span className={styles.none}>{say("nothing")}</span>;
  return (
    <span className={styles.pair}>
      <del lang="en" dir="auto">
        {before ?? none}
      </del>
      <span aria-hidden className={styles.arrow}>
        →
      </span>
      <ins lang="en" dir="auto">
        {after ?? none}
      </ins>
    </span>
  );
}

function Value({ text }: { readonly text: string }): ReactNode {
  return (
    <span lang="en" dir="auto" className={styles.value}>
      {text}
    </span>
  );
}
