import { ActionIcon, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { useFormats } from "../../../words/formats.ts";
import { useRunnerWords } from "../../../words/runner.ts";
import { FieldFrame } from "./field-frame.tsx";
import styles from "./form.module.css";
import type { ControlProps } from "./form-state.ts";
import { useDraft } from "./text-controls.tsx";

/** A moment as ISO 8601: typed, or taken from the browser's calendar, which is in the zone of the person. */
export function MomentField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const say = useRunnerWords();
  const { moment } = useFormats();
  const calendar = useRef<HTMLInputElement>(null);
  const { text, type } = useDraft({ kind: "text", lines: "one" }, path, value);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  const isMoment = at !== undefined && !Number.isNaN(at.getTime());
  return (
    <FieldFrame
      field={field}
      path={path}
      {...shown}
      tools={
        isMoment ? <span className={styles.aside}>{say("here", { moment: moment(at.getTime()) })}</span> : shown.tools
      }
    >
      {(framed) => (
        <TextInput
          {...framed}
          value={text}
          placeholder="2026-11-22T09:30:00Z"
          autoComplete="off"
          maw={320}
          onChange={(event) => type(event.currentTarget.value)}
          rightSection={
            <>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={say("calendar")}
                onClick={() => calendar.current?.showPicker()}
              >
                <IconCalendar size={16} />
              </ActionIcon>
              <input
                ref={calendar}
                type="datetime-local"
                className={styles.calendar}
                tabIndex={-1}
                aria-hidden
                onChange={({ currentTarget }) => {
                  const chosen = new Date(currentTarget.value);
                  if (!Number.isNaN(chosen.getTime())) type(chosen.toISOString().replace(/\.000Z$/, "Z"));
                }}
              />
            </>
          }
        />
      )}
    </FieldFrame>
  );
}
