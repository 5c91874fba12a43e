import { ActionIcon, Button, Switch, TextInput } from "@mantine/core";
import { IconChevronRight, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useWords } from "../../words/words.ts";
import styles from "./runner.module.css";

interface RunConditionsProps {
  readonly ifMatch?:
    | { readonly value: string; readonly set: (text: string) => void; readonly seen?: string | undefined }
    | undefined;
  readonly idempotencyKey?:
    | { readonly value: string; readonly set: (text: string) => void; readonly renew: () => void }
    | undefined;
}

/** Fields for the headers of a write: the expected revision, and the idempotency key. */
export function RunConditions({ ifMatch, idempotencyKey }: RunConditionsProps): ReactNode {
  const say = useWords("runner");
  const [chosen, setChosen] = useState(false);
  // Headers with a value stay visible.
  const open = chosen || Boolean(ifMatch?.value);
  return (
    <div className={styles.conditions}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-expanded={open}
        leftSection={<IconChevronRight size={14} className={open ? styles.turned : undefined} />}
        onClick={() => setChosen(!open)}
      >
        {say("conditions")}
      </Button>
      {open && (
        <div className={styles.conditionFields}>
          {ifMatch && (
            <TextInput
              label={say("ifMatch")}
              description={say("ifMatchText")}
              value={ifMatch.value}
              autoComplete="off"
              spellCheck={false}
              placeholder="If-Match"
              styles={{ input: { fontFamily: ifMatch.value ? "var(--mantine-font-family-monospace)" : undefined } }}
              onChange={(event) => ifMatch.set(event.currentTarget.value)}
            />
          )}
          {ifMatch?.seen !== undefined && ifMatch.seen !== ifMatch.value && (
            <Button
              className={styles.seen}
              size="compact-xs"
              variant="subtle"
              onClick={() => ifMatch.set(ifMatch.seen ?? "")}
            >
              {say("useSeen", { etag: ifMatch.seen })}
            </Button>
          )}
          {idempotencyKey && (
            <TextInput
              label={say("idempotencyKey")}
              description={say("idempotencyText")}
              value={idempotencyKey.value}
              autoComplete="off"
              spellCheck={false}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
              onChange={(event) => idempotencyKey.set(event.currentTarget.value)}
              rightSection={
                <ActionIcon variant="subtle" color="gray" aria-label={say("newKey")} onClick={idempotencyKey.renew}>
                  <IconRefresh size={16} />
                </ActionIcon>
              }
            />
          )}
        </div>
      )}
    </div>
  );
}

interface RunButtonProps {
  readonly run: () => void;
  readonly isRunning: boolean;
  readonly isBlocked: boolean;
  /** True if the next run is a dry run. */
  readonly isDryRun: boolean;
  readonly isDelete?: boolean;
  /** The choice to start with a dry run; undefined for actions without dry run. */
  readonly dryFirst?: { readonly value: boolean; readonly set: (value: boolean) => void } | undefined;
}

/** Button that runs an action or a batch, with a switch for a dry run first. */
export function RunButton({ run, isRunning, isBlocked, isDryRun, isDelete, dryFirst }: RunButtonProps): ReactNode {
  const say = useWords("runner");
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} />}
        onClick={run}
        disabled={isBlocked}
        loading={isRunning}
        aria-keyshortcuts="Control+Enter"
        title="Ctrl+Enter"
        data-run={isDryRun ? "dry" : "real"}
        {...(!isDryRun && isDelete && { color: "red" })}
      >
        {say(isDryRun ? "dryRun" : "run")}
      </Button>
      {dryFirst && (
        <Switch
          size="xs"
          checked={dryFirst.value}
          onChange={(event) => dryFirst.set(event.currentTarget.checked)}
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
