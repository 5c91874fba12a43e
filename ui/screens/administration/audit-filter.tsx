import { Select, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";

/** What of the audit log is shown; dates as `YYYY-MM-DD`. */
export interface AuditView {
  readonly act?: string | undefined;
  readonly outcome?: "ok" | "refused" | undefined;
  readonly actor?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

interface AuditFilterProps {
  readonly filter: AuditView;
  readonly change: (filter: AuditView) => void;
}

/** The fields that narrow the audit log. */
export function AuditFilter({ filter, change }: AuditFilterProps): ReactNode {
  const say = useWords("administration");
  const acts = (useRead("config/inspect_actions_all", {}).data?.body.items ?? [])
    .filter(({ actionRef, semantics }) => actionRef.startsWith("auth/") && semantics.intent !== "read")
    .map(({ actionRef }) => actionRef);
  const people = useRead("auth/actor_list", {}).data?.body.items ?? [];
  const date = (name: "from" | "until") => (
    <TextInput
      w={140}
      type="date"
      label={say(name)}
      value={filter[name] ?? ""}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <div className={styles.filters}>
      <Select
        w={200}
        label={say("act")}
        placeholder={say("anyAct")}
        data={acts}
        value={filter.act ?? null}
        onChange={(act) => change({ act: act ?? undefined })}
        searchable
        clearable
      />
      <Select
        w={150}
        label={say("outcome")}
        placeholder={say("anyOutcome")}
        data={(["ok", "refused"] as const).map((value) => ({ value, label: say(value) }))}
        value={filter.outcome ?? null}
        onChange={(outcome) => change({ outcome: (outcome as AuditView["outcome"]) ?? undefined })}
        clearable
      />
      <Select
        w={220}
        label={say("who")}
        placeholder={say("anybody")}
        data={people.map(({ id, fullname, subject }) => ({ value: id, label: `${fullname} (${subject})` }))}
        value={filter.actor ?? null}
        onChange={(actor) => change({ actor: actor ?? undefined })}
        searchable
        clearable
      />
      {date("from")}
      {date("until")}
    </div>
  );
}
