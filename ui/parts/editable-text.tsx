import { UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { TextConflict, type TextEdit } from "../api/text-edit.ts";
import { useFrameWords } from "../words/frame.ts";
import styles from "./editable-text.module.css";
import { MarkdownText } from "./markdown-text.tsx";
import { openedLater } from "./opened-later.tsx";

// What edits a text is loaded when one is edited.
const TextField = openedLater(
  async () => (await import("./text-field.tsx")).TextField,
  ({ value }) => value,
);
const TextConflictDialog = openedLater(async () => (await import("./text-conflict.tsx")).TextConflictDialog);

interface EditableTextProps {
  /** The name of the text in a sentence, such as "description". */
  readonly label: string;
  readonly edit: TextEdit;
  /** One line, or Markdown with a preview. */
  readonly kind?: "line" | "markdown";
  /** False shows the text only. */
  readonly mayEdit: boolean;
  /** Stands for an empty text; an offer to add one unless given. */
  readonly placeholder?: ReactNode;
  /** The most characters that the field takes. */
  readonly most?: number;
}

/** A text that is edited where it stands: click or `e` begins, Escape leaves, Ctrl-Enter saves, one line also when it is left. */
export function EditableText({ label, edit, kind = "line", mayEdit, placeholder, most }: EditableTextProps): ReactNode {
  const say = useFrameWords();
  const [base, setBase] = useState<string>();
  const [conflict, setConflict] = useState<{ readonly theirs: string; readonly ours: string; readonly base: string }>();
  const shown = useRef<HTMLButtonElement>(null);

  const leave = (): void => {
    setBase(undefined);
    setConflict(undefined);
    // Whoever went on to another place meanwhile stays there.
    requestAnimationFrame(() => document.activeElement === document.body && shown.current?.focus());
  };
  const save = async (text: string, from: string): Promise<void> => {
    if (text === from) return leave();
    try {
      await edit.save(text, from);
      leave();
    } catch (error) {
      if (!(error instanceof TextConflict)) throw error;
      setConflict({ base: error.base, theirs: error.theirs, ours: text });
    }
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setBase(edit.value);
  };

  const text =
    edit.value === "" ? (
      <span className={styles.empty}>{placeholder ?? say(mayEdit ? "addText" : "noText", { label })}</span>
    ) : kind === "markdown" ? (
      <MarkdownText text={edit.value} />
    ) : (
      <span lang="en" dir="auto">
        {edit.value}
      </span>
    );
  if (!mayEdit) return text;
  return (
    <>
      {base === undefined ? (
        <Shown
          kind={kind}
          label={say("editText", { label })}
          begin={() => setBase(edit.value)}
          pressed={pressed}
          place={shown}
        >
          {text}
        </Shown>
      ) : (
        <TextField
          label={label}
          kind={kind}
          value={base}
          save={(typed) => save(typed, base)}
          leave={leave}
          {...(most !== undefined && { most })}
        />
      )}
      {conflict && (
        <TextConflictDialog
          label={label}
          {...conflict}
          keepTheirs={leave}
          save={(chosen) => save(chosen, conflict.theirs)}
          close={() => setConflict(undefined)}
        />
      )}
    </>
  );
}

interface ShownProps {
  readonly kind: "line" | "markdown";
  readonly label: string;
  readonly begin: () => void;
  readonly pressed: (event: KeyboardEvent) => void;
  readonly place: React.RefObject<HTMLButtonElement | null>;
  readonly children: ReactNode;
}

/** The text with a button over it; links in a Markdown text stay links. */
function Shown({ kind, label, begin, pressed, place, children }: ShownProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it is the control; a click anywhere is a shorter way
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the button
    <div
      className={`${styles.shown} ${kind === "line" ? styles.line : ""}`}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest("a");
        if (!isLink && globalThis.getSelection()?.isCollapsed !== false) begin();
      }}
    >
      {children}
      <UnstyledButton ref={place} className={styles.pencil} aria-label={label} onKeyDown={pressed} />
    </div>
  );
}
