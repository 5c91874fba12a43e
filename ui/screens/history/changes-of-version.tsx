import { Alert, Button, Group, Pill, Select } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { usePages, useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { AddressInput } from "../../parts/address-input.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { SplitView } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFormats } from "../../words/formats.ts";
import { useKindWord, useWords } from "../../words/words.ts";
import { ChangePanel } from "./change-panel.tsx";
import { CommitList } from "./commit-list.tsx";
import { type Change, filterCommits, groupCommits } from "./commits.ts";
import styles from "./history.module.css";
import { findOwner, indexObjects } from "./objects-now.ts";

const route = getRouteApi("/shell/models/$modelRef/history");

const PAGE = 1_000;
const PAGES = 10;

interface ChangesOfVersionProps {
  readonly modelRef: RefText;
  readonly versions: readonly Version[];
  readonly isGone: boolean;
  readonly restore: ((state: string) => void) | undefined;
}

/** Versions of a model, with changes of the selected one. */
export function ChangesOfVersion({ modelRef, versions, isGone, restore }: ChangesOfVersionProps): ReactNode {
  const say = useWords("history");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { version, change: chosenAt, object: objectId } = search;
  const filter = { modelRef, ...(version && { version }), ...(objectId && { objectId }) };
  const pages = usePages("model/history_version_changes", { ...filter, expand: "keys" }, { limit: PAGE, first: PAGES });
  const document = useRead("model/model_export", isGone || pages.rows.length === 0 ? undefined : { modelRef });
  const now = useMemo(() => document.data && indexObjects(document.data.body, modelRef), [document.data, modelRef]);
  const findOwnerOfChange = (change: Change) => findOwner(change, now);
  const commits = useMemo(() => groupCommits(pages.rows), [pages.rows]);
  const matches = filterCommits(
    commits,
    { text: search.q, kind: search.kind },
    (change) => findOwnerOfChange(change) ?? "",
  );
  const openChange = commits.flatMap(({ changes }) => changes).find(({ at }) => at === chosenAt);
  const put = (values: Partial<typeof search>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace, resetScroll: false });
  const open = (change: Change | undefined) => {
    put({ change: change?.at }, false);
    if (!change && chosenAt) globalThis.document.getElementById(`change-${chosenAt}`)?.focus({ preventScroll: true });
  };
  const inPanel = openChange && (
    <ChangePanel
      change={openChange}
      owner={findOwnerOfChange(openChange)}
      now={now ? now.get(openChange.id) : isGone ? undefined : null}
      close={() => open(undefined)}
      follow={() => put({ object: openChange.id, change: undefined }, false)}
    />
  );
  return (
    <SplitView panel={inPanel}>
      <div className={styles.columns}>
        <VersionList
          modelRef={modelRef}
          versions={versions}
          choice={version}
          choose={(one) => void navigate({ search: one ? { version: one } : {} })}
        />
        <div>
          {isGone && <Alert mb="md">{say("pastOnly")}</Alert>}
          <VersionAbout modelRef={modelRef} versions={versions} choice={version} restore={restore} />
          <Filters commits={commits} />
          {!pages.isThere && !pages.problem && <TableSkeleton />}
          {pages.problem && <ProblemBox problem={pages.problem} retry={pages.retry} />}
          {pages.more && (
            <Alert mb="md" variant="light" color="gray">
              {say("partial")}{" "}
              <Button size="compact-sm" variant="subtle" loading={pages.isReading} onClick={pages.more}>
                {say("loadMore")}
              </Button>
            </Alert>
          )}
          {pages.isThere && commits.length === 0 && (
            <EmptyState
              icon={IconHistory}
              title={version ? say("nothingHere") : say("nothingNew", { version: versions[0]?.version ?? "" })}
              text={version ? undefined : say("nothingNewText")}
            />
          )}
          {commits.length > 0 && matches.length === 0 && (
            <EmptyState
              title={say("nothingFits")}
              action={
                <Button variant="default" onClick={() => put({ q: undefined, kind: undefined })}>
                  {say("clearFilters")}
                </Button>
              }
            />
          )}
          <CommitList
            modelRef={modelRef}
            commits={matches}
            findOwner={findOwnerOfChange}
            choice={chosenAt}
            choose={(change) => open(change.at === chosenAt ? undefined : change)}
            restore={restore && ((revision) => restore(`r${revision}`))}
          />
        </div>
      </div>
    </SplitView>
  );
}

function Filters({ commits }: { readonly commits: ReturnType<typeof groupCommits> }) {
  const say = useWords("history");
  const kindWord = useKindWord();
  const { q = "", kind, object: objectId } = route.useSearch();
  const navigate = route.useNavigate();
  const put = (values: { q?: string | undefined; kind?: string | undefined; object?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true });
  const changes = commits.flatMap((commit) => commit.changes);
  const kinds = [...new Set(changes.map((change) => change.kind))];
  if (changes.length === 0 && objectId === undefined) return null;
  return (
    <div className={styles.tools}>
      <AddressInput
        size="xs"
        w={260}
        placeholder={say("filter")}
        aria-label={say("filter")}
        value={q}
        change={(text) => put({ q: text || undefined })}
      />
      <Select
        size="xs"
        w={160}
        aria-label={say("kind")}
        data={[{ value: "", label: say("allKinds") }, ...kinds.map((one) => ({ value: one, label: kindWord(one) }))]}
        value={kind ?? ""}
        allowDeselect={false}
        onChange={(value) => put({ kind: value || undefined })}
      />
      {objectId !== undefined && (
        <Pill
          size="md"
          withRemoveButton
          onRemove={() => put({ object: undefined })}
          removeButtonProps={{ "aria-label": say("showAll"), "aria-hidden": false, tabIndex: 0 }}
        >
          {say("onlyOf", { name: changes[0]?.key ?? "" })}
        </Pill>
      )}
    </div>
  );
}

interface VersionAboutProps {
  readonly modelRef: RefText;
  readonly versions: readonly Version[];
  readonly choice: string | undefined;
  readonly restore: ((state: string) => void) | undefined;
}

function VersionAbout({ modelRef, versions, choice, restore }: VersionAboutProps) {
  const say = useWords("history");
  const formats = useFormats();
  const at = versions.findIndex(({ version }) => version === choice);
  const version = versions[at];
  const before = versions[at + 1];
  if (!version) return null;
  const who = version.actorName ?? say("somebody");
  const sides = { left: modelRef, right: modelRef };
  return (
    <Group gap={8} mb={12} wrap="nowrap" fz="sm" c="dimmed">
      <span>{say("releasedBy", { who, when: formats.formatTime(version.time) })}</span>
      {before && (
        <LinkButton
          to="/compare"
          search={{ ...sides, leftAt: before.version, rightAt: version.version }}
          size="compact-sm"
          variant="subtle"
        >
          {say("compareWithBefore")}
        </LinkButton>
      )}
      <LinkButton to="/compare" search={{ ...sides, leftAt: version.version }} size="compact-sm" variant="subtle">
        {say("compareWithNow")}
      </LinkButton>
      {restore && (
        <Button size="compact-sm" variant="subtle" onClick={() => restore(version.version)}>
          {say("restoreVersion", { version: version.version })}
        </Button>
      )}
    </Group>
  );
}

type Version = OutputOf<"model/history_versions">["items"][number];

interface VersionListProps {
  readonly modelRef: string;
  readonly versions: readonly Version[];
  /** The selected version; undefined for unreleased changes. */
  readonly choice: string | undefined;
  readonly choose: (version: string | undefined) => void;
}

function VersionList({ modelRef, versions, choice, choose }: VersionListProps) {
  const say = useWords("history");
  const formats = useFormats();
  const renderLink = (version: string | undefined, title: string, note: string) => (
    <li key={version ?? ""}>
      <Link
        to="/models/$modelRef/history"
        params={{ modelRef }}
        search={version === undefined ? {} : { version }}
        className={styles.version}
        activeOptions={{ exact: true, includeSearch: true }}
        {...(version === choice ? { "aria-current": "true" } : { "aria-current": undefined })}
        data-chosen={version === choice || undefined}
      >
        <span className="break medium">{title}</span>
        <span className="truncate quiet tiny">{note}</span>
      </Link>
    </li>
  );
  const sinceText = versions[0] ? say("sinceVersion", { version: versions[0].version }) : "";
  return (
    <>
      <nav aria-label={say("versions")} className={styles.versions}>
        <ul className="bare-list">
          {renderLink(undefined, say("unreleased"), sinceText)}
          {versions.map(({ version, time, actorName }) =>
            renderLink(version, version, `${formats.formatSince(time)} · ${actorName ?? say("somebody")}`),
          )}
        </ul>
      </nav>
      <Select
        className={styles.versionField}
        aria-label={say("versions")}
        data={[
          { value: "", label: say("unreleased") },
          ...versions.map(({ version, time }) => ({
            value: version,
            label: `${version} · ${formats.formatSince(time)}`,
          })),
        ]}
        value={choice ?? ""}
        allowDeselect={false}
        onChange={(value) => choose(value || undefined)}
      />
    </>
  );
}
