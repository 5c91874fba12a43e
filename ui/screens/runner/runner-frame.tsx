import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import { ActionTree } from "./action-tree.tsx";
import { useEntries } from "./batch/batch-call.ts";
import styles from "./runner.module.css";

interface RunnerFrameProps {
  readonly current?: string | undefined;
  readonly searchText: string;
  readonly search: (text: string) => void;
  /** True if the tree is the main content, so that phones show it too. */
  readonly isIndex?: boolean;
  readonly children: ReactNode;
}

/** Tree of actions on the left of the content; on narrow pages it is a separate page. */
export function RunnerFrame({ current, searchText, search, isIndex = false, children }: RunnerFrameProps): ReactNode {
  return (
    <div className={styles.frame} data-index={isIndex || undefined}>
      <div className={styles.frameSide}>
        <ActionTree current={current} searchText={searchText} search={search} />
      </div>
      <div className="shrink">{children}</div>
    </div>
  );
}

/** Link to the batch with the number of its entries. */
export function BatchLink(): ReactNode {
  const say = useWords("runner");
  const { entries } = useEntries();
  return (
    <Button component={Link} to="/batch" variant="default" leftSection={<IconStack2 size={16} />}>
      {entries.length === 0 ? say("batch") : say("batchCount", { count: entries.length })}
    </Button>
  );
}
