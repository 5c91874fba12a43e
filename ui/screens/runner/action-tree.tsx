import { UnstyledButton } from "@mantine/core";
import { IconChevronRight, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { AddressInput } from "../../parts/address-input.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { foldText } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./runner.module.css";

interface ActionTreeProps {
  readonly current?: string | undefined;
  readonly searchText: string;
  readonly search: (text: string) => void;
}

/** All actions that the person may run, by group and kind. */
export function ActionTree({ current, searchText, search }: ActionTreeProps): ReactNode {
  const say = useWords("runner");
  const read = useRead("config/inspect_actions", {});
  const groups = buildTree(read.data?.body.items ?? [], searchText);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <LoadedBody read={read} skeleton={<TableSkeleton />}>
      {() => (
        <nav className={styles.tree} aria-label={say("tree")}>
          <AddressInput
            className={styles.filter}
            size="xs"
            leftSection={<IconSearch size={14} aria-hidden />}
            placeholder={say("filterHint")}
            aria-label={say("filter")}
            value={searchText}
            change={search}
          />
          <p className={styles.count} aria-live="polite">
            {count === 0 ? say("none", { text: searchText }) : say("count", { count })}
          </p>
          {groups.map((group) => (
            <section key={group.name} className={styles.group} aria-label={group.name}>
              <h2 lang="en">{group.name}</h2>
              {group.subjects.map((subject) => (
                <Subject
                  key={subject.name}
                  subject={subject}
                  current={current}
                  // Search results are always visible; a group with one kind is always open.
                  isOpen={searchText !== "" || group.subjects.length === 1}
                />
              ))}
            </section>
          ))}
        </nav>
      )}
    </LoadedBody>
  );
}

interface SubjectProps {
  readonly subject: TreeSubject;
  readonly current: string | undefined;
  readonly isOpen: boolean;
}

function Subject({ subject, current, isOpen }: SubjectProps) {
  const say = useWords("runner");
  const holdsCurrent = subject.actions.some(({ ref }) => ref === current);
  const [isChosen, setIsChosen] = useState(holdsCurrent);
  useEffect(() => {
    if (holdsCurrent) setIsChosen(true);
  }, [holdsCurrent]);
  const open = isOpen || isChosen;
  return (
    <>
      {!isOpen && (
        <UnstyledButton className={styles.subject} aria-expanded={open} onClick={() => setIsChosen(!isChosen)}>
          <IconChevronRight size={14} aria-hidden data-open={open || undefined} />
          {subject.name === "" ? say("other") : <span lang="en">{subject.name}</span>}
          <span className={styles.number}>{subject.actions.length}</span>
        </UnstyledButton>
      )}
      {open && (
        <ul className="bare-list">
          {subject.actions.map(({ ref, title }) => {
            const [group = "", action = ""] = ref.split("/");
            const isCurrent = ref === current;
            return (
              <li key={ref}>
                <Link
                  ref={isCurrent ? scrollTo : null}
                  to="/actions/$group/$action"
                  params={{ group, action }}
                  search={(before) => ({ q: before.q })}
                  className={styles.action}
                  aria-current={isCurrent ? "page" : undefined}
                  title={ref}
                  lang="en"
                >
                  {title}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

const scrollTo = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: "nearest" });

interface TreeSubject {
  /** For example `entity attribute`; empty for actions without a kind. */
  readonly name: string;
  /** The path of each action, as `<group>/<action>`, and its title. */
  readonly actions: readonly { readonly ref: string; readonly title: string }[];
}

interface TreeGroup {
  readonly name: string;
  readonly count: number;
  readonly subjects: readonly TreeSubject[];
}

interface ListedAction {
  readonly actionRef: string;
  readonly title: string;
  readonly semantics: { readonly subjects: readonly { readonly type: string }[] };
}

/** Returns true if every word occurs in the title or the name of the action. */
export function matchesWords({ actionRef, title }: Pick<ListedAction, "actionRef" | "title">, text: string): boolean {
  const within = foldText(`${title} ${actionRef} ${actionRef.replaceAll(/[_/]/g, " ")}`);
  return foldText(text)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** Builds the tree of the matching actions by group and kind. */
export function buildTree(actions: readonly ListedAction[], text: string): readonly TreeGroup[] {
  const matching = actions.filter((action) => matchesWords(action, text));
  return [...Map.groupBy(matching, ({ actionRef }) => actionRef.slice(0, actionRef.indexOf("/")))].map(
    ([name, list]) => {
      const subjects = Map.groupBy(list, ({ semantics }) => (semantics.subjects[0]?.type ?? "").replaceAll("_", " "));
      return {
        name,
        count: list.length,
        // Actions without a kind come last.
        subjects: [...subjects]
          .map(([subject, own]) => ({
            name: subject,
            actions: own.map(({ actionRef: ref, title }) => ({ ref, title })),
          }))
          .sort((a, b) => Number(a.name === "") - Number(b.name === "")),
      };
    },
  );
}
