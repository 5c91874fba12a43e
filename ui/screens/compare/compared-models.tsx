import { Button, Group } from "@mantine/core";
import { IconArrowUpRight, IconEqual } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { Fragment, type ReactNode, useMemo } from "react";
import type { DiagramDocument } from "../../../shared/diagram/graph-of-model.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { type Difference, getKeyOn, type SideName } from "../../parts/changed/difference-path.ts";
import { MembersChanged } from "../../parts/changed/members-changed.tsx";
import { ImpactMark, StatusSign, useStatusWord } from "../../parts/changed/signs.tsx";
import { DiagramSkeleton } from "../../parts/diagram/diagram-skeleton.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { loadLazily } from "../../parts/lazily-loaded.tsx";
import { PathLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { LongList } from "../../parts/long-list.tsx";
import { type ObjectPath, parseState, type StateText } from "../../parts/object-path.ts";
import { Panel, SplitView } from "../../parts/page.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useKindWord, useWords } from "../../words/words.ts";
import styles from "./compare.module.css";
import { DifferenceFilters } from "./difference-filters.tsx";
import { DifferenceGroup, getGroupHeight } from "./difference-group.tsx";
import { getFileName } from "./dropped-file.ts";
import { filterGroups, getRowPath, groupDifferences, type Row, type Sides } from "./groups.ts";
import type { SideText } from "./use-comparison.ts";

const route = getRouteApi("/shell/compare");

interface ComparedModelsProps {
  readonly comparison: OutputOf<"model/model_compare">;
  readonly left: SideText;
  readonly right: SideText;
}

/** Filtered differences by object, with the panel of the selected one. */
export function ComparedModels({ comparison, left, right }: ComparedModelsProps): ReactNode {
  const say = useWords("compare");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useMemo(() => groupDifferences(comparison.entries), [comparison]);
  const visibleGroups = useMemo(
    () => filterGroups(groups, { classes: search.class, kinds: search.kind, text: search.q }),
    [groups, search.class, search.kind, search.q],
  );
  const put = (values: Partial<typeof search>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace, resetScroll: false });
  const open = (row: Row | undefined) => {
    put({ open: row?.id }, false);
    if (!row && search.open) document.getElementById(search.open)?.focus({ preventScroll: true });
  };
  const chosenRow = groups.flatMap(({ rows }) => rows).find(({ id }) => id === search.open);
  const sides = { left, right };
  const drawing = drawSide(sides);
  if (comparison.entries.length === 0) {
    const isStructural = comparison.scopeApplied === "structural";
    return (
      <EmptyState
        icon={IconEqual}
        title={say("same")}
        text={say(isStructural ? "sameStructure" : "sameText")}
        action={
          isStructural && (
            <Button variant="default" onClick={() => put({ scope: undefined })}>
              {say("compareAll")}
            </Button>
          )
        }
      />
    );
  }
  const count = visibleGroups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <SplitView
      panel={
        chosenRow && (
          <DifferencePanel
            row={chosenRow}
            leftPath={getRowPath(chosenRow, "left", sides)}
            rightPath={getRowPath(chosenRow, "right", sides)}
            close={() => open(undefined)}
          />
        )
      }
    >
      <div className={styles.body}>
        <DifferenceFilters comparison={comparison} count={count} hasDiagram={drawing !== undefined} />
        {count === 0 && (
          <EmptyState
            title={say("nothingFits")}
            action={
              <Button variant="default" onClick={() => put({ q: undefined, class: undefined, kind: undefined })}>
                {say("clearFilters")}
              </Button>
            }
          />
        )}
        {drawing && search.view === "diagram" && <DifferenceDiagram drawing={drawing} entries={comparison.entries} />}
        <LongList
          rows={search.view === "diagram" && drawing ? [] : visibleGroups}
          getId={({ id }) => id}
          getHeight={getGroupHeight}
          renderRow={(group) => (
            <DifferenceGroup
              group={group}
              sides={sides}
              choice={search.open}
              choose={(row) => open(row.id === search.open ? undefined : row)}
            />
          )}
        />
      </div>
    </SplitView>
  );
}

const ComparedDiagram = loadLazily(
  async () => (await import("../../parts/diagram/diagram-canvas.tsx")).ComparedDiagram,
  () => <DiagramSkeleton />,
);

interface DrawnSide {
  readonly side: SideName;
  readonly modelRef: RefText;
  readonly at: StateText | undefined;
}

/** Returns the base of the diagram: the right side, or the left one if that is a file; undefined for two files. */
function drawSide(sides: Sides): DrawnSide | undefined {
  for (const side of ["right", "left"] as const) {
    const { of, at } = sides[side];
    if (of !== undefined && getFileName(of) === undefined) return { side, modelRef: toRef(of), at };
  }
  return undefined;
}

interface DifferenceDiagramProps {
  readonly drawing: DrawnSide;
  readonly entries: readonly Difference[];
}

function DifferenceDiagram({ drawing, entries }: DifferenceDiagramProps) {
  const { side, modelRef, at } = drawing;
  const document = useRead("model/model_export", { modelRef, ...parseState(at) });
  return (
    <div className={styles.diagram}>
      <LoadedBody read={document} skeleton={<DiagramSkeleton />}>
        {(base) => (
          // The client's types of an answer are wider than those of the document that it is.
          <ComparedDiagram base={base as unknown as DiagramDocument} side={side} entries={entries} />
        )}
      </LoadedBody>
    </div>
  );
}

interface DifferencePanelProps {
  readonly row: Row;
  readonly leftPath: ObjectPath | undefined;
  readonly rightPath: ObjectPath | undefined;
  readonly close: () => void;
}

function DifferencePanel({ row: { difference }, leftPath, rightPath, close }: DifferencePanelProps) {
  const say = useWords("compare");
  const kindWord = useKindWord();
  const statusWord = useStatusWord();
  const { status, objectType, impact, reasons, members, left, right } = difference;
  const key = getKeyOn(difference, "right");
  const renderLink = (path: ObjectPath | undefined, label: string) =>
    path && (
      <Button
        component={PathLink}
        path={path}
        size="xs"
        variant="default"
        rightSection={<IconArrowUpRight size={14} aria-hidden />}
      >
        {label}
      </Button>
    );
  return (
    <Panel
      title={`${statusWord(status)}: ${kindWord(objectType)} ${key}`}
      heading={
        <>
          <StatusSign status={status} /> {kindWord(objectType)} <KeyText value={key} strong />
        </>
      }
      close={close}
    >
      <div className={styles.verdict}>
        <ImpactMark impact={impact} />
        <ul lang="en">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <dl className={styles.sides}>
          {(["readers", "writers"] as const).map((side) => (
            <Fragment key={side}>
              <dt>{say(side)}</dt>
              <dd title={difference[side].reasons.join("; ")}>{say(`verdict_${difference[side].verdict}`)}</dd>
            </Fragment>
          ))}
        </dl>
      </div>
      <Group gap={8} mb={20}>
        {renderLink(leftPath, say("openLeft"))}
        {renderLink(rightPath, say("openRight"))}
      </Group>
      <MembersChanged before={left} after={right} only={members} />
    </Panel>
  );
}
