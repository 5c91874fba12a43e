import { Button, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect } from "react";
import { pingService, useIsAnswering } from "../api/connection.ts";
import { useWords } from "../words/words.ts";
import styles from "./page.module.css";

/** Milliseconds between two attempts to reach the service. */
const RETRY_INTERVAL = 3_000;

/** Banner for an unreachable service; when it answers again, everything is read again. */
export function OfflineBanner(): ReactNode {
  const say = useWords("frame");
  const isAnswering = useIsAnswering();
  const client = useQueryClient();
  const look = useCallback(async () => {
    if (await pingService()) await client.refetchQueries({ type: "active" });
  }, [client]);
  useEffect(() => {
    if (isAnswering) return;
    const timer = setInterval(look, RETRY_INTERVAL);
    return () => clearInterval(timer);
  }, [isAnswering, look]);
  return (
    <div role="status">
      {!isAnswering && (
        <div className={styles.banner}>
          <IconPlugConnectedX size={18} style={{ flex: "none" }} aria-hidden />
          <Text size="sm" flex="0 1 auto" maw="calc(100% - 32px)">
            {say("offline")}
          </Text>
          <Button size="compact-sm" variant="default" onClick={look}>
            {say("offlineNow")}
          </Button>
        </div>
      )}
    </div>
  );
}
