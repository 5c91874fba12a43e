import { Group, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { WarningGroups } from "../../parts/warning-groups.tsx";
import { useFormats } from "../../words/formats.ts";
import { useModelsWords } from "../../words/models.ts";
import styles from "./import-report.module.css";

type Report = OutputOf<"model/import">;

const COUNTED = ["entities", "attributes", "relationships", "types", "businessKeys", "tags"] as const;

interface ImportReportProps {
  readonly report: Report;
  /** False for what a dry run told. */
  readonly isDone: boolean;
}

/** What an import made, or would make, and what could not be carried over, grouped by its sort. */
export function ImportReport({ report, isDone }: ImportReportProps): ReactNode {
  const say = useModelsWords();
  const formats = useFormats();
  const { counts, warnings } = report;
  return (
    <Stack gap="sm" role="status" ref={(place: HTMLDivElement | null) => place?.scrollIntoView({ block: "nearest" })}>
      <Group gap={8}>
        <IconCheck size={18} color="var(--sign-good)" aria-hidden />
        <Text fw={500}>{say(isDone ? "imported" : "wouldImport", { key: report.key })}</Text>
      </Group>
      <dl className={styles.counts}>
        {COUNTED.filter((name) => counts[name] > 0).map((name) => (
          <div key={name}>
            <dd>{formats.number(counts[name])}</dd>
            <dt>{say(`count_${name}`)}</dt>
          </div>
        ))}
      </dl>
      {warnings.length === 0 && <Text c="dimmed">{say("noWarnings")}</Text>}
      <WarningGroups warnings={warnings} />
    </Stack>
  );
}
