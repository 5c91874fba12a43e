import { Code, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { Named } from "../../parts/key-text.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { Facts } from "./facts.tsx";

type Entry = OutputOf<"auth/audit_list">["items"][number];

interface AuditPanelProps {
  readonly entry: Entry;
  readonly close: () => void;
}

/** One entry of the audit log with everything that it changed. */
export function AuditPanel({ entry, close }: AuditPanelProps): ReactNode {
  const say = useWords("administration");
  const { moment } = useFormats();
  const { actor, time, until, outcome, count, channel, apiTokenName, apiToken, requestId, changes = [] } = entry;
  return (
    <Panel title={entry.act} heading={<span lang="en">{entry.act}</span>} close={close}>
      <Stack gap="lg">
        <Facts
          facts={[
            [say("time"), until ? `${moment(time)} – ${moment(until)}` : moment(time)],
            [say("outcome"), say(outcome) + (count === undefined ? "" : `, ${say("times", { count })}`)],
            [say("who"), actor && <Named key="who" name={actor.name} objectKey={actor.subject} />],
            [say("channel"), channel],
            [say("ofToken"), apiTokenName ?? apiToken],
            [say("requestId"), requestId && <Code key="request">{requestId}</Code>],
          ]}
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
  /** Those that hold ids, by key. */
  readonly byKey: Readonly<Record<string, unknown>> | undefined;
}

function Image({ label, members, byKey }: ImageProps): ReactNode {
  if (!members) return null;
  return (
    <>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Code block>{JSON.stringify({ ...members, ...byKey }, null, 2)}</Code>
    </>
  );
}
