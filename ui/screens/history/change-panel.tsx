import { Button, Code, Group, Text } from "@mantine/core";
import { IconArrowUpRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { MembersChanged } from "../../parts/changed/members-changed.tsx";
import { StatusSign, useStatusWord } from "../../parts/changed/signs.tsx";
import { Facts } from "../../parts/facts.tsx";
import { PathLink } from "../../parts/links.tsx";
import { getObjectPath } from "../../parts/object-path.ts";
import { Panel } from "../../parts/page.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useKindWord, useWords } from "../../words/words.ts";
import { type Change, listVisibleMembers } from "./commits.ts";
import styles from "./history.module.css";
import type { ObjectNow } from "./objects-now.ts";

interface ChangePanelProps {
  readonly change: Change;
  readonly owner: string | undefined;
  /** The object in its current state; undefined if deleted, null while unknown. */
  readonly now: ObjectNow | undefined | null;
  readonly close: () => void;
  /** Filters the changes by this object. */
  readonly follow: () => void;
}

/** Panel of a change: author, time, values before and after. */
export function ChangePanel({ change, owner, now, close, follow }: ChangePanelProps): ReactNode {
  const say = useWords("history");
  const sayChanges = useWords("changes");
  const kindWord = useKindWord();
  const statusWord = useStatusWord();
  const formats = useFormats();
  const { key, kind, counts, before, beforeByKey, after, afterByKey } = change;
  const path = now ? getObjectPath(now.refs) : undefined;
  const [oldMembers, newMembers] = [listVisibleMembers(before, beforeByKey), listVisibleMembers(after, afterByKey)];
  return (
    <Panel
      title={`${statusWord(change.change)}: ${kindWord(kind)} ${key}`}
      heading={
        <>
          <StatusSign status={change.change} /> {kindWord(kind)} <KeyText value={key} strong />
        </>
      }
      close={close}
    >
      <Facts
        className={styles.facts}
        facts={{
          [say("place")]: owner !== undefined && <bdi lang="en">{owner}</bdi>,
          [say("who")]: <bdi>{change.actorName ?? say("somebody")}</bdi>,
          [say("token")]: change.apiToken !== undefined && <bdi>{change.apiTokenName ?? say("pastToken")}</bdi>,
          [say("when")]: <time dateTime={change.time}>{formats.formatTime(change.time)}</time>,
          [say("actions")]: change.actions.map((action) => (
            <Code key={action} mr={4} lang="en">
              {action}
            </Code>
          )),
        }}
      />
      <Group gap={8} mb={20} align="stretch">
        {path && (
          <Button
            component={PathLink}
            path={path}
            size="xs"
            variant="default"
            rightSection={<IconArrowUpRight size={14} aria-hidden />}
          >
            {sayChanges("openThere")}
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={follow}>
          {say("ofThisObject")}
        </Button>
      </Group>
      {now === undefined && change.change !== "delete" && (
        <Text c="dimmed" fz="sm" mb="md">
          {say("isGone")}
        </Text>
      )}
      {counts && (
        <>
          <Text fz="sm" c="dimmed" mb={4}>
            {say("madeWith")}
          </Text>
          <Facts
            className={styles.facts}
            facts={Object.fromEntries(
              Object.entries(counts).map(([kind, count]) => [kindWord(kind), formats.formatNumber(count)]),
            )}
          />
        </>
      )}
      <MembersChanged before={oldMembers} after={newMembers} />
    </Panel>
  );
}
