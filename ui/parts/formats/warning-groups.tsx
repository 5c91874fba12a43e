import { Badge, Code } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./formats.module.css";

interface WarningGroupsProps {
  readonly warnings: OutputOf<"model/model_export_as">["warnings"];
}

/** Warnings of an import or an export, grouped by code; a single group is open. */
export function WarningGroups({ warnings }: WarningGroupsProps): ReactNode {
  const say = useWords("warnings");
  const formats = useFormats();
  const groups = [...Map.groupBy(warnings, ({ code }) => code)];
  return groups.map(([code, ofCode]) => (
    <details key={code} className={styles.group} open={groups.length === 1}>
      <summary>
        <IconAlertTriangle size={16} color="var(--sign-additive)" aria-hidden />
        <span>{say(code)}</span>
        <Badge>{formats.formatNumber(ofCode.reduce((sum, { count }) => sum + count, 0))}</Badge>
      </summary>
      <ul lang="en">
        {ofCode.map(({ detail, count, pointers }) => (
          <li key={detail}>
            {detail}
            {count > 1 && <span className="quiet"> × {formats.formatNumber(count)}</span>}
            <div className={styles.places}>
              {pointers.map((pointer) => (
                <Code key={pointer}>{pointer || "/"}</Code>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </details>
  ));
}
