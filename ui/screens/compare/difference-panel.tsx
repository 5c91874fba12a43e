import { Button } from "@mantine/core";
import { IconArrowUpRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { keyOn } from "../../parts/changed/difference-place.ts";
import { MembersChanged } from "../../parts/changed/members-changed.tsx";
import { ImpactMark, StatusSign, useStatusWord } from "../../parts/changed/signs.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import type { ObjectPlace } from "../../parts/object-place.ts";
import { Panel } from "../../parts/panel.tsx";
import { PlaceLink } from "../../parts/place-link.tsx";
import { useKindWord } from "../../words/changes.ts";
import { useCompareWords } from "../../words/compare.ts";
import styles from "./compare.module.css";
import type { Row } from "./groups.ts";

interface DifferencePanelProps {
  readonly row: Row;
  readonly leftPlace: ObjectPlace | undefined;
  readonly rightPlace: ObjectPlace | undefined;
  readonly close: () => void;
}

/** One difference: its class and why, what was on the left and is on the right, and the way to either. */
export function DifferencePanel({
  row: { difference },
  leftPlace,
  rightPlace,
  close,
}: DifferencePanelProps): ReactNode {
  const say = useCompareWords();
  const kindWord = useKindWord();
  const statusWord = useStatusWord();
  const { status, objectType, impact, reasons, members, left, right } = difference;
  const key = keyOn(difference, "right");
  const link = (place: ObjectPlace | undefined, label: string): ReactNode =>
    place && (
      <Button
        component={PlaceLink}
        place={place}
        size="xs"
        variant="default"
        rightSection={<IconArrowUpRight size={14} aria-hidden />}
      >
        {label}
      </Button>
    );
  return (
    <Panel
      title={`${statusWord(status)}: ${kindWord(objectType)} ${key}`}
      heading={
        <>
          <StatusSign status={status} /> {kindWord(objectType)} <KeyText value={key} strong />
        </>
      }
      close={close}
    >
      <div className={styles.verdict}>
        <ImpactMark impact={impact} />
        <ul lang="en">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
      <div className={styles.ways}>
        {link(leftPlace, say("openLeft"))}
        {link(rightPlace, say("openRight"))}
      </div>
      <MembersChanged before={left} after={right} only={members} />
    </Panel>
  );
}
