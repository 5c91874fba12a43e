import { Badge, Code, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { usePages, useRead } from "../../api/reads.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { LoadedPages } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { RowsTable } from "../../parts/rows-table.tsx";
import { ObjectName } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";
import { AdministrationFrame } from "./administration-frame.tsx";

const OUTCOMES = ["ok", "refused"] as const;
const PAGE = 50;

type Entry = OutputOf<"auth/audit_list">["items"][number];

/** Audit log of users, actors, roles, passwords and tokens, newest first. */
export function AuditScreen(): ReactNode {
  const say = useWords("administration");
  const { formatTime } = useFormats();
  const { search, change } = useQueryParameters();
  const { act, outcome, actor, from, until, entry } = search;
  const input = {
    expand: "keys",
    ...(act && { act }),
    ...(outcome && { outcome }),
    ...(actor && { actorId: actor }),
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(until && { until: `${until}T00:00:00Z` }),
  } as const;
  const pages = usePages("auth/audit_list", input, { limit: PAGE });
  const open = (id: string | undefined) => void change({ entry: id });
  const record = pages.rows.find(({ id }) => id === entry);
  return (
    <AdministrationFrame section="audit" panel={record && <AuditPanel entry={record} close={() => open(undefined)} />}>
      <AuditFilter />
      <LoadedPages pages={pages} empty={<EmptyState title={say("auditEmpty")} text={say("auditEmptyText")} />}>
        {(entries) => (
          <RowsTable
            label={say("audit")}
            minWidth={640}
            rows={entries}
            open={open}
            openId={entry}
            cells={{
              [say("time")]: ({ time }) => formatTime(time),
              [say("act")]: ({ act }) => <span lang="en">{act}</span>,
              [say("outcome")]: ({ outcome, count }) => (
                <Badge {...(outcome === "refused" && { c: "var(--sign-breaking)" })}>
                  {say(outcome)}
                  {count !== undefined && `, ${say("times", { count })}`}
                </Badge>
              ),
              [say("who")]: ({ actor }) => <bdi lang="en">{actor?.name ?? actor?.subject ?? say("nobody")}</bdi>,
            }}
          />
        )}
      </LoadedPages>
    </AdministrationFrame>
  );
}

function AuditFilter() {
  const say = useWords("administration");
  const { search: filter, change } = useQueryParameters();
  const put = (values: Parameters<typeof change>[0]) => void change(values, { replace: true });
  const acts = (useRead("config/inspect_actions_all", {}).data?.body.items ?? [])
    .filter(({ actionRef, semantics }) => actionRef.startsWith("auth/") && semantics.intent !== "read")
    .map(({ actionRef }) => actionRef);
  const people = useRead("auth/actor_list", {}).data?.body.items ?? [];
  const renderDate = (name: "from" | "until") => (
    <TextInput
      w={140}
      type="date"
      label={say(name)}
      value={filter[name] ?? ""}
      onChange={(event) => put({ [name]: event.currentTarget.value || undefined })}
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
        onChange={(act) => put({ act: act ?? undefined })}
        searchable
        clearable
      />
      <Select
        w={150}
        label={say("outcome")}
        placeholder={say("anyOutcome")}
        data={OUTCOMES.map((value) => ({ value, label: say(value) }))}
        value={filter.outcome ?? null}
        onChange={(outcome) => put({ outcome: OUTCOMES.find((one) => one === outcome) })}
        clearable
      />
      <Select
        w={220}
        label={say("who")}
        placeholder={say("anybody")}
        data={people.map(({ id, fullname, subject }) => ({ value: id, label: `${fullname} (${subject})` }))}
        value={filter.actor ?? null}
        onChange={(actor) => put({ actor: actor ?? undefined })}
        searchable
        clearable
      />
      {renderDate("from")}
      {renderDate("until")}
    </div>
  );
}

interface AuditPanelProps {
  readonly entry: Entry;
  readonly close: () => void;
}

function AuditPanel({ entry, close }: AuditPanelProps) {
  const say = useWords("administration");
  const { formatTime } = useFormats();
  const { actor, time, until, outcome, count, channel, apiTokenName, apiToken, requestId, changes = [] } = entry;
  return (
    <Panel title={entry.act} heading={<span lang="en">{entry.act}</span>} close={close}>
      <Stack gap="lg">
        <Facts
          facts={{
            [say("time")]: until ? `${formatTime(time)} – ${formatTime(until)}` : formatTime(time),
            [say("outcome")]: say(outcome) + (count === undefined ? "" : `, ${say("times", { count })}`),
            [say("who")]: actor && <ObjectName name={actor.name} objectKey={actor.subject} />,
            [say("channel")]: channel,
            [say("ofToken")]: apiTokenName ?? apiToken,
            [say("requestId")]: requestId && <Code>{requestId}</Code>,
          }}
        />
        {changes.length > 0 && <Title order={3}>{say("changes")}</Title>}
        {changes.map((change) => (
          <section key={change.id}>
            <Text fw={500} lang="en">
              {change.change} {change.kind.replaceAll("_", " ")} <bdi>{change.name}</bdi>
            </Text>
            <Image label={say("before")} members={change.before} byKey={change.beforeByKey} />
            <Image label={say("after")} members={change.after} byKey={change.afterByKey} />
          </section>
        ))}
      </Stack>
    </Panel>
  );
}

interface ImageProps {
  readonly label: string;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly byKey: Readonly<Record<string, unknown>> | undefined;
}

function Image({ label, members, byKey }: ImageProps) {
  if (!members) return null;
  return (
    <>
      <p className="note">{label}</p>
      <Code block>{JSON.stringify({ ...members, ...byKey }, null, 2)}</Code>
    </>
  );
}
