import { UnstyledButton } from "@mantine/core";
import { IconChevronRight, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { AddressInput } from "../../parts/address-input.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useRunnerWords } from "../../words/runner.ts";
import styles from "./tree.module.css";
import { type ListedAction, type TreeSubject, treeOf } from "./tree.ts";

interface ActionTreeProps {
  /** The action that is open, as `<group>/<action>`. */
  readonly current?: string | undefined;
  readonly sought: string;
  readonly seek: (text: string) => void;
}

/** All actions that the person may run, by group and kind. */
export function ActionTree(props: ActionTreeProps): ReactNode {
  const read = useRead("config/inspect_actions", {});
  return (
    <Loaded read={read} skeleton={<TableSkeleton />}>
      {({ items }) => <Tree {...props} actions={items} />}
    </Loaded>
  );
}

function Tree({
  actions,
  current,
  sought,
  seek,
}: ActionTreeProps & { readonly actions: readonly ListedAction[] }): ReactNode {
  const say = useRunnerWords();
  const groups = useMemo(() => treeOf(actions, sought), [actions, sought]);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <nav className={styles.tree} aria-label={say("tree")}>
      <AddressInput
        className={styles.filter}
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        placeholder={say("filterHint")}
        aria-label={say("filter")}
        value={sought}
        change={seek}
      />
      <p className={styles.count} aria-live="polite">
        {count === 0 ? say("none", { text: sought }) : say("count", { count })}
      </p>
      {groups.map((group) => (
        <section key={group.name} className={styles.group} aria-label={group.name}>
          <h2 lang="en">{group.name}</h2>
          {group.subjects.map((subject) => (
            <Subject
              key={subject.name}
              subject={subject}
              current={current}
              // What was sought is shown; a group of one kind needs no opening.
              isOpen={sought !== "" || group.subjects.length === 1}
            />
          ))}
        </section>
      ))}
    </nav>
  );
}

interface SubjectProps {
  readonly subject: TreeSubject;
  readonly current: string | undefined;
  readonly isOpen: boolean;
}

function Subject({ subject, current, isOpen }: SubjectProps): ReactNode {
  const say = useRunnerWords();
  const holdsCurrent = subject.actions.some(({ ref }) => ref === current);
  const [chosen, setChosen] = useState(holdsCurrent);
  useEffect(() => {
    if (holdsCurrent) setChosen(true);
  }, [holdsCurrent]);
  const open = isOpen || chosen;
  return (
    <>
      {!isOpen && (
        <UnstyledButton className={styles.subject} aria-expanded={open} onClick={() => setChosen(!chosen)}>
          <IconChevronRight size={14} aria-hidden data-open={open || undefined} />
          {subject.name === "" ? say("other") : <span lang="en">{subject.name}</span>}
          <span className={styles.number}>{subject.actions.length}</span>
        </UnstyledButton>
      )}
      {open && (
        <ul className={styles.actions}>
          {subject.actions.map((action) => (
            <li key={action.ref}>
              <ActionLink actionRef={action.ref} title={action.title} isCurrent={action.ref === current} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ActionLinkProps {
  readonly actionRef: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

function ActionLink({ actionRef, title, isCurrent }: ActionLinkProps): ReactNode {
  const [group = "", action = ""] = actionRef.split("/");
  const place = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <Link
      ref={place}
      to="/actions/$group/$action"
      params={{ group, action }}
      search={(before) => ({ q: before.q })}
      className={styles.action}
      aria-current={isCurrent ? "page" : undefined}
      title={actionRef}
      lang="en"
    >
      {title}
    </Link>
  );
}
