import { Button, Stack, Switch, TextInput } from "@mantine/core";
import { IconChevronRight, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { IconButton } from "../../parts/icon-button.tsx";
import { useWords } from "../../words/words.ts";
import { MONOSPACE } from "./form/inputs.tsx";
import type { Running } from "./run/use-run.ts";
import styles from "./runner.module.css";

interface RunConditionsProps {
  readonly running: Running;
  readonly etag: string | undefined;
}

/** Fields for the headers of a write: the expected revision, and the idempotency key. */
export function RunConditions({ running, etag }: RunConditionsProps): ReactNode {
  const say = useWords("runner");
  const { controls, setIfMatch, setKey, takesMatch, takesKey } = running;
  const { ifMatch, idempotencyKey } = controls;
  const [isChosen, setIsChosen] = useState(false);
  // Headers with a value stay visible.
  const open = isChosen || ifMatch !== "";
  if (!takesMatch && !takesKey) return null;
  return (
    <div className={styles.conditions}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-expanded={open}
        leftSection={<IconChevronRight size={14} className={open ? styles.turned : undefined} />}
        onClick={() => setIsChosen(!open)}
      >
        {say("conditions")}
      </Button>
      {open && (
        <Stack gap="sm" pt={8}>
          {takesMatch && (
            <TextInput
              label={say("ifMatch")}
              description={say("ifMatchText")}
              value={ifMatch}
              autoComplete="off"
              spellCheck={false}
              placeholder="If-Match"
              {...(ifMatch && { styles: MONOSPACE })}
              onChange={(event) => setIfMatch(event.currentTarget.value)}
            />
          )}
          {takesMatch && etag !== undefined && etag !== ifMatch && (
            <Button
              size="compact-xs"
              variant="subtle"
              maw="100%"
              style={{ alignSelf: "start" }}
              onClick={() => setIfMatch(etag)}
            >
              {say("useSeen", { etag })}
            </Button>
          )}
          {takesKey && (
            <TextInput
              label={say("idempotencyKey")}
              description={say("idempotencyText")}
              value={idempotencyKey}
              autoComplete="off"
              spellCheck={false}
              styles={MONOSPACE}
              onChange={(event) => setKey(event.currentTarget.value)}
              rightSection={<IconButton label={say("newKey")} icon={IconRefresh} run={() => setKey()} />}
            />
          )}
        </Stack>
      )}
    </div>
  );
}

interface RunButtonProps {
  readonly running: Running;
  readonly run: () => void;
  readonly isBlocked: boolean;
  readonly isDelete?: boolean;
}

/** Button that runs an action or a batch, with a switch for a dry run first. */
export function RunButton({ running, run, isBlocked, isDelete }: RunButtonProps): ReactNode {
  const say = useWords("runner");
  const { controls, isRunning, canPreview, dryFirst, setDryFirst } = running;
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} />}
        onClick={run}
        disabled={isBlocked}
        loading={isRunning}
        aria-keyshortcuts="Control+Enter"
        title="Ctrl+Enter"
        data-run={controls.dryRun ? "dry" : "real"}
        {...(!controls.dryRun && isDelete && { color: "red" })}
      >
        {say(controls.dryRun ? "dryRun" : "run")}
      </Button>
      {canPreview && (
        <Switch
          size="xs"
          checked={dryFirst}
          onChange={(event) => setDryFirst(event.currentTarget.checked)}
          label={say("dryFirst")}
          title={say("dryFirstText")}
        />
      )}
    </>
  );
}

/** Returns a key handler that calls `run` on Ctrl+Enter or Cmd+Enter. */
export function onRunKey(run: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}
