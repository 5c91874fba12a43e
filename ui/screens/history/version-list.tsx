import { Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { useFormats } from "../../words/formats.ts";
import { useHistoryWords } from "../../words/history.ts";
import styles from "./history.module.css";

/** A released version with its commit. */
export type Version = OutputOf<"model/history_versions">["items"][number];

interface VersionListProps {
  readonly modelRef: string;
  readonly versions: readonly Version[];
  /** The version whose changes are shown; undefined for what is not released. */
  readonly chosen: string | undefined;
  readonly choose: (version: string | undefined) => void;
}

/** The versions of a model, newest first, below what is not released yet; a field on phones. */
export function VersionList({ modelRef, versions, chosen, choose }: VersionListProps): ReactNode {
  const say = useHistoryWords();
  const formats = useFormats();
  const link = (version: string | undefined, title: string, below: string): ReactNode => (
    <li key={version ?? ""}>
      <Link
        to="/models/$modelRef/history"
        params={{ modelRef }}
        search={version === undefined ? {} : { version }}
        className={styles.version}
        activeOptions={{ exact: true, includeSearch: true }}
        {...(version === chosen ? { "aria-current": "true" } : { "aria-current": undefined })}
        data-chosen={version === chosen || undefined}
      >
        <span className={styles.versionName}>{title}</span>
        <span className={styles.versionFacts}>{below}</span>
      </Link>
    </li>
  );
  const since = versions[0] ? say("sinceVersion", { version: versions[0].version }) : "";
  return (
    <>
      <nav aria-label={say("versions")} className={styles.versions}>
        <ul>
          {link(undefined, say("unreleased"), since)}
          {versions.map(({ version, time, actorName }) =>
            link(version, version, `${formats.since(time)} · ${actorName ?? say("somebody")}`),
          )}
        </ul>
      </nav>
      <Select
        className={styles.versionField}
        aria-label={say("versions")}
        data={[
          { value: "", label: say("unreleased") },
          ...versions.map(({ version, time }) => ({ value: version, label: `${version} · ${formats.since(time)}` })),
        ]}
        value={chosen ?? ""}
        allowDeselect={false}
        onChange={(value) => choose(value || undefined)}
      />
    </>
  );
}
