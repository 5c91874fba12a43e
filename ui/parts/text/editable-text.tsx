import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Typography,
  UnstyledButton,
} from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { TextConflict, type TextEdit } from "../../api/edits.ts";
import { useWords } from "../../words/words.ts";
import { loadLazily } from "../lazily-loaded.tsx";
import { ProblemBox } from "../problem-box.tsx";
import { formatRefusal } from "../refusal.ts";
import styles from "./editable-text.module.css";
import { mergeTexts } from "./merged-text.ts";

interface EditableTextProps {
  /** Name of the text within a sentence, such as "description". */
  readonly label: string;
  readonly edit: TextEdit;
  /** One line, or Markdown with a preview. */
  readonly kind?: "line" | "markdown";
  /** False to show the text only. */
  readonly mayEdit: boolean;
  /** Shown for an empty text; by default an offer to add one. */
  readonly placeholder?: ReactNode;
  /** Maximum number of characters. */
  readonly most?: number;
}

/** Text edited in place: click or `e` starts, Escape cancels, Ctrl+Enter saves. One line is also saved on blur. */
export function EditableText({ label, edit, kind = "line", mayEdit, placeholder, most }: EditableTextProps): ReactNode {
  const say = useWords("frame");
  const [base, setBase] = useState<string>();
  const [conflict, setConflict] = useState<{ readonly theirs: string; readonly ours: string; readonly base: string }>();
  const shown = useRef<HTMLButtonElement>(null);

  const leave = (): void => {
    setBase(undefined);
    setConflict(undefined);
    // Keeps the focus of a person who has moved on meanwhile.
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
  const handleKey = (event: KeyboardEvent): void => {
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
          handleKey={handleKey}
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
  readonly handleKey: (event: KeyboardEvent) => void;
  readonly place: React.RefObject<HTMLButtonElement | null>;
  readonly children: ReactNode;
}

/** Text under a button that starts editing; links in Markdown stay links. */
function Shown({ kind, label, begin, handleKey, place, children }: ShownProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the inner button is the control
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button handles the keys
    <div
      className={`${styles.shown} ${kind === "line" ? styles.line : ""}`}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest("a");
        if (!isLink && globalThis.getSelection()?.isCollapsed !== false) begin();
      }}
    >
      {children}
      <UnstyledButton ref={place} className={styles.pencil} aria-label={label} onKeyDown={handleKey} />
    </div>
  );
}

interface TextConflictProps {
  readonly label: string;
  /** The text when the editing began. */
  readonly base: string;
  /** The text that another person saved. */
  readonly theirs: string;
  readonly ours: string;
  readonly keepTheirs: () => void;
  readonly save: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Dialog for an edit conflict: both versions, a merged proposal, and the choice. */
function TextConflictDialog(props: TextConflictProps): ReactNode {
  const { label, base, theirs, ours, keepTheirs, save, close } = props;
  const say = useWords("frame");
  const merged = useMemo(() => mergeTexts(base, theirs, ours), [base, theirs, ours]);
  const [proposal, setProposal] = useState(merged.text);
  const [problem, setProblem] = useState<unknown>();
  const send = (text: string): void => void save(text).catch(setProblem);
  const createSide = (title: string, text: string): ReactNode => (
    <Textarea label={title} value={text} readOnly autosize minRows={2} maxRows={12} />
  );
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={say("conflictTitle")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <Text>{say("conflictText", { label })}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {createSide(say("theirs"), theirs)}
          {createSide(say("mine"), ours)}
        </SimpleGrid>
        <Textarea
          label={say("conflictMerged")}
          description={merged.clashes > 0 ? say("conflictClash") : undefined}
          value={proposal}
          onChange={(event) => setProposal(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
        />
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keepTheirs}>
            {say("keepTheirs")}
          </Button>
          <Button variant="default" onClick={() => send(ours)}>
            {say("takeMine")}
          </Button>
          <Button data-autofocus onClick={() => send(proposal)}>
            {say("takeMerged")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly kind: "line" | "markdown";
  readonly value: string;
  /** Saves; its error appears at the field. */
  readonly save: (text: string) => Promise<void>;
  readonly leave: () => void;
  readonly most?: number;
}

/** Field for a text; its size follows the text. */
function TextField({ label, kind, value, save, leave, most }: TextFieldProps): ReactNode {
  const say = useWords("frame");
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
      setRefusal(formatRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const leaveUnsaved = (): void => {
    // Removing the field blurs it, which must not save.
    isLeft.current = true;
    leave();
  };
  const handleKey = (event: KeyboardEvent): void => {
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
    // A disabled field would lose the focus, so the person could not continue after a refusal.
    readOnly: busy,
    "aria-busy": busy,
    onKeyDown: handleKey,
    // The person asked to edit this text.
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

const MarkdownBody = loadLazily(
  async () => (await import("./markdown-body.tsx")).MarkdownBody,
  ({ text }) => <p style={{ whiteSpace: "pre-wrap" }}>{text}</p>,
);

interface MarkdownTextProps {
  readonly text: string;
}

/** Renders Markdown. HTML in it is shown as text, and images as links. */
export function MarkdownText({ text }: MarkdownTextProps): ReactNode {
  return (
    <Typography lang="en" dir="auto" fz="md" style={{ overflowWrap: "anywhere" }}>
      <MarkdownBody text={text} />
    </Typography>
  );
}
