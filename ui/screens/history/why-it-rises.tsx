import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { placeText } from "../../parts/changed/difference-place.ts";
import { IMPACTS } from "../../parts/changed/impacts.ts";
import { ImpactSign, StatusSign } from "../../parts/changed/signs.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { useChangesWords, useKindWord } from "../../words/changes.ts";
import { useHistoryWords } from "../../words/history.ts";
import styles from "./release.module.css";

/** Differences that are shown as the reasons for a version. */
const SHOWN = 5;

const BECAUSE = { breaking: "becauseBreaking", additive: "becauseAdditive", cosmetic: "becauseCosmetic" } as const;
const COUNT = { breaking: "countBreaking", additive: "countAdditive", cosmetic: "countCosmetic" } as const;

interface WhyItRisesProps {
  readonly comparison: OutputOf<"model/model_compare">;
  readonly before: string;
}

/** Says in a sentence why a version has to rise as it does, and shows the gravest differences. */
export function WhyItRises({ comparison, before }: WhyItRisesProps): ReactNode {
  const say = useHistoryWords();
  const sayChanges = useChangesWords();
  const kindWord = useKindWord();
  const gravest = IMPACTS.find((impact) => comparison[impact] > 0);
  if (!gravest) return <Text mb="md">{say("releaseNothing", { version: before })}</Text>;
  const reasons = comparison.entries.filter(({ impact }) => impact === gravest);
  return (
    <>
      <div className={styles.counts}>
        {IMPACTS.map((impact) => (
          <span key={impact} data-none={comparison[impact] === 0 || undefined}>
            <ImpactSign impact={impact} /> {sayChanges(COUNT[impact], { count: comparison[impact] })}
          </span>
        ))}
      </div>
      <Text mt="sm" mb="xs">
        {say(BECAUSE[gravest], { count: comparison[gravest], version: before })}
      </Text>
      <ul className={styles.reasons}>
        {reasons.slice(0, SHOWN).map((entry) => (
          <li key={`${entry.objectType} ${placeText(entry)} ${entry.status}`}>
            <StatusSign status={entry.status} />
            <span>
              <span className={styles.kind}>{kindWord(entry.objectType)}</span>{" "}
              <KeyText value={placeText(entry)} strong />
              <span className={styles.reason} lang="en">
                {entry.reasons.join("; ")}
              </span>
            </span>
          </li>
        ))}
        {reasons.length > SHOWN && <li>{say("andMore", { count: reasons.length - SHOWN })}</li>}
      </ul>
    </>
  );
}
