import { Button } from "@mantine/core";
import { IconEqual } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LongList } from "../../parts/long-list.tsx";
import { Split } from "../../parts/panel.tsx";
import { useCompareWords } from "../../words/compare.ts";
import styles from "./compare.module.css";
import { DifferenceDiagram, drawnSide } from "./difference-diagram.tsx";
import { DifferenceFilters } from "./difference-filters.tsx";
import { DifferenceGroup, groupHeight } from "./difference-group.tsx";
import { DifferencePanel } from "./difference-panel.tsx";
import { groupsOf, groupsThatFit, type Row } from "./groups.ts";
import { placeOfRow } from "./places.ts";
import type { SideText } from "./use-comparison.ts";

const route = getRouteApi("/shell/compare");

interface ComparedModelsProps {
  readonly comparison: OutputOf<"model/model_compare">;
  readonly left: SideText;
  readonly right: SideText;
}

/** The differences of a comparison by object, those that fit the filters, and the panel of the chosen one. */
export function ComparedModels({ comparison, left, right }: ComparedModelsProps): ReactNode {
  const say = useCompareWords();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useMemo(() => groupsOf(comparison.entries), [comparison]);
  const shown = useMemo(
    () => groupsThatFit(groups, { classes: search.class, kinds: search.kind, text: search.q }),
    [groups, search.class, search.kind, search.q],
  );
  const put = (some: Partial<typeof search>, replace = true): void =>
    void navigate({ search: (before) => ({ ...before, ...some }), replace, resetScroll: false });
  const open = (row: Row | undefined): void => {
    put({ open: row?.id }, false);
    if (!row && search.open) document.getElementById(search.open)?.focus({ preventScroll: true });
  };
  const chosen = groups.flatMap(({ rows }) => rows).find(({ id }) => id === search.open);
  const sides = { left, right };
  const drawn = drawnSide(sides);
  if (comparison.entries.length === 0) {
    const isStructural = comparison.scopeApplied === "structural";
    return (
      <EmptyState
        icon={<IconEqual size={28} stroke={1.5} aria-hidden />}
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
  const count = shown.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <Split
      panel={
        chosen && (
          <DifferencePanel
            row={chosen}
            leftPlace={placeOfRow(chosen, "left", sides)}
            rightPlace={placeOfRow(chosen, "right", sides)}
            close={() => open(undefined)}
          />
        )
      }
    >
      <div className={styles.body}>
        <DifferenceFilters comparison={comparison} shown={count} hasDiagram={drawn !== undefined} />
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
        {drawn && search.view === "diagram" && <DifferenceDiagram drawn={drawn} entries={comparison.entries} />}
        <LongList
          rows={search.view === "diagram" && drawn ? [] : shown}
          idOf={({ id }) => id}
          height={groupHeight}
          draw={(group) => (
            <DifferenceGroup
              group={group}
              sides={sides}
              chosen={search.open}
              choose={(row) => open(row.id === search.open ? undefined : row)}
            />
          )}
        />
      </div>
    </Split>
  );
}
