import { type ReactNode, useState } from "react";
import { ChangeRow, ChangeRows, MoreRows, OwnerName } from "../../parts/changed/change-row.tsx";
import { isShort, listMemberChanges } from "../../parts/changed/difference-path.ts";
import { LongList } from "../../parts/long-list.tsx";
import { formatRevision } from "../../parts/object-path.ts";
import { ActionMenu } from "../../parts/pickers/action-menu.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useKindWord, useMemberWord, useWords } from "../../words/words.ts";
import { type Change, type Commit, listVisibleMembers } from "./commits.ts";
import styles from "./history.module.css";

const MAX_CHANGES = 12;

interface CommitListProps {
  readonly modelRef: string;
  readonly commits: readonly Commit[];
  readonly findOwner: (change: Change) => string | undefined;
  readonly choice: string | undefined;
  readonly choose: (change: Change) => void;
  /** Asks to restore a revision; undefined if the person is not permitted to. */
  readonly restore: ((revision: number) => void) | undefined;
}

/** Commits with author, time and changes; a click opens a change in the panel. */
export function CommitList({ commits, ...rest }: CommitListProps): ReactNode {
  return (
    <LongList
      rows={commits}
      getId={({ revision }) => String(revision)}
      getHeight={({ changes }) => 56 + Math.min(changes.length, MAX_CHANGES + 1) * 37}
      renderRow={(commit) => <CommitBox commit={commit} {...rest} />}
    />
  );
}

type CommitBoxProps = Omit<CommitListProps, "commits"> & { readonly commit: Commit };

function CommitBox({ commit, modelRef, findOwner, choice, choose, restore }: CommitBoxProps) {
  const say = useWords("history");
  const formats = useFormats();
  const { revision, facts, changes } = commit;
  const [isWhole, setIsWhole] = useState(changes.some(({ at }, index) => at === choice && index >= MAX_CHANGES));
  const visibleChanges = isWhole ? changes : changes.slice(0, MAX_CHANGES);
  return (
    <section className={styles.commit} aria-labelledby={`revision-${revision}`}>
      <div className={styles.commitHead}>
        <h2 dir="auto">{facts.actorName ?? say("somebody")}</h2>
        <span className={styles.commitFacts}>
          <time dateTime={facts.time} title={formats.formatTime(facts.time)}>
            {formats.formatSince(facts.time)}
          </time>
          {" · "}
          <span id={`revision-${revision}`}>{say("revision", { revision })}</span>
          {` · ${say("changes", { count: changes.length })}`}
          {facts.apiToken !== undefined && (
            <>
              {" · "}
              <bdi>{facts.apiTokenName ? say("withToken", { name: facts.apiTokenName }) : say("withPastToken")}</bdi>
            </>
          )}
          {facts.channel !== "http" && ` · ${say(`by_${facts.channel}`)}`}
        </span>
        <CommitMenu modelRef={modelRef} revision={revision} restore={restore} />
      </div>
      <ChangeRows>
        {visibleChanges.map((change) => (
          <ChangeButton
            key={change.at}
            change={change}
            owner={findOwner(change)}
            isChosen={change.at === choice}
            choose={choose}
          />
        ))}
        {visibleChanges.length < changes.length && (
          <MoreRows count={changes.length - visibleChanges.length} show={() => setIsWhole(true)} />
        )}
      </ChangeRows>
    </section>
  );
}

interface ChangeButtonProps {
  readonly change: Change;
  readonly owner: string | undefined;
  readonly isChosen: boolean;
  readonly choose: (change: Change) => void;
}

function ChangeButton({ change, owner, isChosen, choose }: ChangeButtonProps) {
  const kindWord = useKindWord();
  const summary = useSummary();
  return (
    <ChangeRow
      id={`change-${change.at}`}
      status={change.change}
      kind={kindWord(change.kind)}
      summary={summary(change)}
      isChosen={isChosen}
      choose={() => choose(change)}
    >
      {owner !== undefined && <OwnerName name={owner} />}
      <KeyText value={change.key} strong />
    </ChangeRow>
  );
}

type CommitMenuProps = Pick<CommitListProps, "modelRef" | "restore"> & { readonly revision: number };

function CommitMenu({ modelRef, revision, restore }: CommitMenuProps) {
  const say = useWords("history");
  const formatSides = (left: number, right?: number) => ({
    left: modelRef,
    leftAt: formatRevision(left),
    right: modelRef,
    ...(right !== undefined && { rightAt: formatRevision(right) }),
  });
  return (
    <div className={styles.commitMenu}>
      <ActionMenu
        isQuiet
        label={say("commitMenu", { revision })}
        actions={[
          ...(revision > 1
            ? [
                {
                  label: say("compareWithBefore"),
                  link: { to: "/compare", search: formatSides(revision - 1, revision) },
                } as const,
              ]
            : []),
          { label: say("compareWithNow"), link: { to: "/compare", search: formatSides(revision) } },
          ...(restore ? [{ label: say("restoreRevision", { revision }), run: () => restore(revision) }] : []),
        ]}
      />
    </div>
  );
}

function useSummary(): (change: Change) => string {
  const say = useWords("changes");
  const label = useMemberWord();
  const formats = useFormats();
  return ({ change, before, beforeByKey, after, afterByKey }) => {
    if (change !== "update") return "";
    const changes = listMemberChanges(listVisibleMembers(before, beforeByKey), listVisibleMembers(after, afterByKey), {
      yes: say("yes"),
      no: say("no"),
    });
    const [first, second] = changes;
    if (first && !second && isShort(first.before) && isShort(first.after))
      return `${label(first.member)}: ${first.before ?? say("nothing")} → ${first.after ?? say("nothing")}`;
    return formats.formatList(changes.map(({ member }) => label(member)));
  };
}
