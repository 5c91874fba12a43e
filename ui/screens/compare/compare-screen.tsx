import { ActionIcon, SegmentedControl } from "@mantine/core";
import { IconArrowsDiff, IconSwitchHorizontal } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { DownloadButton } from "../../parts/download-as/download-button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useCompareWords } from "../../words/compare.ts";
import styles from "./compare.module.css";
import { SidePicker } from "./side-picker.tsx";
import { type SideText, useComparison, useSide } from "./use-comparison.ts";

const ComparedModels = openedLater(async () => (await import("./compared-models.tsx")).ComparedModels);

const route = getRouteApi("/shell/compare");

/** Compares two states of models, or a model and a file. */
export function Screen(): ReactNode {
  const say = useCompareWords();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const left = useSide({ of: search.left, at: search.leftAt });
  const right = useSide({ of: search.right, at: search.rightAt });
  const scope = search.scope ?? "complete";
  const { read, sides } = useComparison(left, right, scope);
  const put = (some: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, open: undefined, ...some }) });
  const putSides = (one: SideText, other: SideText): void =>
    put({ left: one.of, leftAt: one.at, right: other.of, rightAt: other.at });
  return (
    <>
      <PageHeader
        title={say("title")}
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label={say("scope")}
              data={[
                { value: "complete", label: say("complete") },
                { value: "structural", label: say("structural") },
              ]}
              value={scope}
              onChange={(value) => put({ scope: value === "structural" ? "structural" : undefined })}
            />
            {sides && <DownloadButton what={{ action: "model/model_compare_as", input: sides }} />}
          </>
        }
      />
      <div className={styles.sides}>
        <SidePicker label={say("left")} side={left} change={(side) => putSides(side, right)} />
        <ActionIcon
          className={styles.swap}
          variant="default"
          size={36}
          aria-label={say("swap")}
          title={say("swap")}
          onClick={() => putSides(right, left)}
        >
          <IconSwitchHorizontal size={18} />
        </ActionIcon>
        <SidePicker label={say("right")} side={right} change={(side) => putSides(left, side)} />
      </div>
      {sides ? (
        <Loaded
          read={read}
          skeleton={
            <div className={styles.body}>
              <TableSkeleton />
            </div>
          }
        >
          {(comparison) => <ComparedModels comparison={comparison} left={left} right={right} />}
        </Loaded>
      ) : (
        <EmptyState
          icon={<IconArrowsDiff size={28} stroke={1.5} aria-hidden />}
          title={say("emptyTitle")}
          text={say("emptyText")}
        />
      )}
    </>
  );
}
