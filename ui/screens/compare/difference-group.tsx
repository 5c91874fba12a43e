import { ActionIcon } from "@mantine/core";
import { IconArrowUpRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ChangeRow, ChangeRows, MoreRows } from "../../parts/changed/change-row.tsx";
import { getDifferenceName, getKeyOn } from "../../parts/changed/difference-path.ts";
import { ImpactMark } from "../../parts/changed/signs.tsx";
import { PathLink } from "../../parts/links.tsx";
import { KeyText, ObjectName } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useKindWord, useMemberWord, useWords } from "../../words/words.ts";
import styles from "./compare.module.css";
import { type Group, getMainPath, type Row, type Sides } from "./groups.ts";

const MAX_DIFFERENCES = 12;

/** Returns the estimated height of a group. */
export const getGroupHeight = ({ rows }: Group): number => 60 + Math.min(rows.length, MAX_DIFFERENCES + 1) * 37;

interface DifferenceGroupProps {
  readonly group: Group;
  readonly sides: Sides;
  readonly choice: string | undefined;
  readonly choose: (row: Row) => void;
}

/** An object with its differences and those of its parts. */
export function DifferenceGroup({ group, sides, choice, choose }: DifferenceGroupProps): ReactNode {
  const kindWord = useKindWord();
  const { kind, key, name, rows } = group;
  const [isWhole, setIsWhole] = useState(rows.some(({ id }, at) => id === choice && at >= MAX_DIFFERENCES));
  const list = isWhole ? rows : rows.slice(0, MAX_DIFFERENCES);
  return (
    <section className={styles.group} aria-label={`${kindWord(kind)} ${key}`}>
      <h2 className={styles.groupName}>
        <span className="quiet regular">{kindWord(kind)}</span> <ObjectName name={name} objectKey={key} />
      </h2>
      <ChangeRows>
        {list.map((row) => (
          <DifferenceRow key={row.id} row={row} sides={sides} isChosen={row.id === choice} choose={choose} />
        ))}
        {list.length < rows.length && <MoreRows count={rows.length - list.length} show={() => setIsWhole(true)} />}
      </ChangeRows>
    </section>
  );
}

interface DifferenceRowProps {
  readonly row: Row;
  readonly sides: Sides;
  readonly isChosen: boolean;
  readonly choose: (row: Row) => void;
}

function DifferenceRow({ row, sides, isChosen, choose }: DifferenceRowProps) {
  const say = useWords("changes");
  const kindWord = useKindWord();
  const label = useMemberWord();
  const formats = useFormats();
  const { difference } = row;
  const [before, after] = [getKeyOn(difference, "left"), getKeyOn(difference, "right")];
  const path = getMainPath(row, sides);
  const members = (difference.members ?? []).filter((member) => before === after || member !== "key");
  return (
    <ChangeRow
      id={row.id}
      status={difference.status}
      kind={kindWord(difference.objectType)}
      summary={formats.formatList(members.map(label))}
      end={<ImpactMark impact={difference.impact} />}
      trailing={
        path && (
          <ActionIcon
            component={PathLink}
            path={path}
            variant="subtle"
            color="gray"
            aria-label={say("openObject", { name: getDifferenceName(difference) ?? after })}
            title={say("openThere")}
          >
            <IconArrowUpRight size={16} />
          </ActionIcon>
        )
      }
      isChosen={isChosen}
      choose={() => choose(row)}
    >
      {before === after ? (
        <ObjectName name={getDifferenceName(difference)} objectKey={after} />
      ) : (
        <>
          <KeyText value={before} strong /> → <KeyText value={after} strong />
        </>
      )}
    </ChangeRow>
  );
}
