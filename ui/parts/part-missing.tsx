import { Button, Group } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { lookForService, useIsAnswering } from "../api/connection.ts";
import { useFrameWords } from "../words/frame.ts";
import { EmptyState } from "./empty-state.tsx";
import styles from "./part-missing.module.css";

interface PartMissingProps {
  /** True where the part is the whole page. */
  readonly isPage: boolean;
  readonly again: () => void;
}

/** Says that a part of the page did not come, and asks for it again by a press, or when the service is back. */
export function PartMissing({ isPage, again }: PartMissingProps): ReactNode {
  const say = useFrameWords();
  const isAnswering = useIsAnswering();
  const wasLost = useRef(false);
  const isBack = useEffectEvent(again);
  useEffect(() => void lookForService(), []);
  useEffect(() => {
    if (isAnswering && wasLost.current) isBack();
    wasLost.current = !isAnswering;
  }, [isAnswering]);
  const actions = (
    <Group gap="xs" justify="center" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={again}>
        {say("tryAgain")}
      </Button>
      {isAnswering && (
        // A newer build of the application has other files.
        <Button size="compact-sm" variant="default" onClick={() => globalThis.location.reload()}>
          {say("reload")}
        </Button>
      )}
    </Group>
  );
  if (isPage)
    return (
      <div role="alert">
        <EmptyState isPage title={say("partMissing")} action={actions} />
      </div>
    );
  return (
    <div className={styles.missing} role="alert">
      <span>{say("partMissing")}</span>
      {actions}
    </div>
  );
}
