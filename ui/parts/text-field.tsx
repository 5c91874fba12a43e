import { Button, Group, SegmentedControl, Text, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useFrameWords } from "../words/frame.ts";
import styles from "./editable-text.module.css";
import { MarkdownText } from "./markdown-text.tsx";
import { refusalOf } from "./refusal.ts";

interface TextFieldProps {
  readonly label: string;
  readonly kind: "line" | "markdown";
  readonly value: string;
  /** Saves; what it throws stands at the field. */
  readonly save: (text: string) => Promise<void>;
  readonly leave: () => void;
  readonly most?: number;
}

/** The field in which a text is edited; its size is that of the text. */
export function TextField({ label, kind, value, save, leave, most }: TextFieldProps): ReactNode {
  const say = useFrameWords();
  const hint = useId();
  const [text, setText] = useState(value);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [view, setView] = useState<"write" | "preview">("write");
  const isLeft = useRef(false);

  const send = async (): Promise<void> => {
    if (busy || isLeft.current) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await save(text);
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  const leaveUnsaved = (): void => {
    // The field loses the focus as it goes, which saves nothing.
    isLeft.current = true;
    leave();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Escape") leaveUnsaved();
    else if (event.key === "Enter" && (kind === "line" || event.ctrlKey || event.metaKey)) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shared = {
    "aria-label": label,
    "aria-describedby": hint,
    className: styles.field,
    value: text,
    error: refusal && <span lang="en">{refusal}</span>,
    // Without the focus it could not be gone on in when the save is refused.
    readOnly: busy,
    "aria-busy": busy,
    onKeyDown: pressed,
    // The person asked to edit this very text.
    autoFocus: true,
    ...(most !== undefined && { maxLength: most }),
  };
  if (kind === "line") {
    return (
      <TextInput
        {...shared}
        size="sm"
        miw={Math.min(480, 120 + value.length * 8)}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => void send()}
      />
    );
  }
  return (
    <div>
      <SegmentedControl
        size="xs"
        mb={6}
        value={view}
        onChange={(next) => setView(next === "preview" ? "preview" : "write")}
        data={[
          { value: "write", label: say("write") },
          { value: "preview", label: say("preview") },
        ]}
      />
      {view === "write" ? (
        <Textarea
          {...shared}
          autosize
          minRows={3}
          maxRows={24}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <MarkdownText text={text} />
      )}
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => void send()} loading={busy}>
          {say("save")}
        </Button>
        <Button size="xs" variant="default" onClick={leaveUnsaved}>
          {say("cancel")}
        </Button>
        <Text id={hint} size="xs" c="dimmed">
          {say("saveHint", { keys: "Ctrl Enter" })}
        </Text>
      </Group>
    </div>
  );
}
