import { Group, MultiSelect, SegmentedControl, Text, UnstyledButton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { IMPACTS, type Impact } from "../../../shared/domain/differences.ts";
import type { OutputOf } from "../../api/service.ts";
import { AddressInput } from "../../parts/address-input.tsx";
import { ImpactSign } from "../../parts/changed/signs.tsx";
import { useKindWord, useWords } from "../../words/words.ts";
import styles from "./compare.module.css";

const screenRoute = getRouteApi("/shell/compare");

interface DifferenceFiltersProps {
  readonly comparison: OutputOf<"model/model_compare">;
  readonly count: number;
  readonly hasDiagram: boolean;
}

/** Filters by impact with counts, by kind and by text. */
export function DifferenceFilters({ comparison, count, hasDiagram }: DifferenceFiltersProps): ReactNode {
  const say = useWords("compare");
  const sayChanges = useWords("changes");
  const kindWord = useKindWord();
  const search = screenRoute.useSearch();
  const navigate = screenRoute.useNavigate();
  const classes = search.class ?? [];
  const put = (values: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true, resetScroll: false });
  const toggle = (impact: Impact) => {
    const next = classes.includes(impact) ? classes.filter((one) => one !== impact) : [...classes, impact];
    put({ class: next.length > 0 ? next : undefined });
  };
  const kinds = [...new Set(comparison.entries.map(({ objectType }) => objectType))];
  const all = comparison.entries.length;
  return (
    <div className={styles.tools}>
      <Group gap={4} mr={8} role="group" aria-label={say("filterByClass")}>
        {IMPACTS.map((impact) => (
          <UnstyledButton
            key={impact}
            className={styles.class}
            aria-pressed={classes.includes(impact)}
            data-none={comparison[impact] === 0 || undefined}
            onClick={() => toggle(impact)}
          >
            <ImpactSign impact={impact} /> {sayChanges(`count_${impact}`, { count: comparison[impact] })}
          </UnstyledButton>
        ))}
      </Group>
      <AddressInput
        size="xs"
        w={180}
        placeholder={say("filter")}
        aria-label={say("filter")}
        value={search.q ?? ""}
        change={(q) => put({ q: q || undefined })}
      />
      <MultiSelect
        size="xs"
        miw={160}
        maw={360}
        aria-label={say("kinds")}
        placeholder={search.kind ? undefined : say("allKinds")}
        data={kinds.map((kind) => ({ value: kind, label: kindWord(kind) }))}
        value={[...(search.kind ?? [])]}
        onChange={(next) => put({ kind: next.length > 0 ? next : undefined })}
        clearable
      />
      {hasDiagram && (
        <SegmentedControl
          size="xs"
          aria-label={say("view")}
          data={[
            { value: "list", label: say("list") },
            { value: "diagram", label: say("diagram") },
          ]}
          value={search.view ?? "list"}
          onChange={(value) => put({ view: value === "diagram" ? "diagram" : undefined })}
        />
      )}
      <Text fz="sm" c="dimmed" ml="auto" role="status">
        {count === all ? say("differences", { count: all }) : say("shownOf", { shown: count, all })}
      </Text>
    </div>
  );
}
