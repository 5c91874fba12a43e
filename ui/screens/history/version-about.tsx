import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { RefText } from "../../api/refs.ts";
import { LinkButton } from "../../parts/links.tsx";
import { useFormats } from "../../words/formats.ts";
import { useHistoryWords } from "../../words/history.ts";
import styles from "./history.module.css";
import type { Version } from "./version-list.tsx";

interface VersionAboutProps {
  readonly modelRef: RefText;
  readonly versions: readonly Version[];
  readonly chosen: string | undefined;
  readonly restore: ((moment: string) => void) | undefined;
}

/** Who released the chosen version, and what can be done with it. */
export function VersionAbout({ modelRef, versions, chosen, restore }: VersionAboutProps): ReactNode {
  const say = useHistoryWords();
  const formats = useFormats();
  const at = versions.findIndex(({ version }) => version === chosen);
  const version = versions[at];
  const before = versions[at + 1];
  if (!version) return null;
  const who = version.actorName ?? say("somebody");
  const sides = { left: modelRef, right: modelRef };
  return (
    <div className={styles.about}>
      <span>{say("releasedBy", { who, when: formats.moment(version.time) })}</span>
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
    </div>
  );
}
