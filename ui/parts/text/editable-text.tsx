import {
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Typography,
  UnstyledButton,
} from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { type TextEdit, ValueConflict } from "../../api/edits.ts";
import { useWords } from "../../words/words.ts";
import { Dialog } from "../dialog.tsx";
import { loadLazily } from "../lazily-loaded.tsx";
import { Columns } from "../page.tsx";
import { ProblemBox } from "../problem-box.tsx";
import { formatRefusal } from "../refusal.ts";
import styles from "./editable-text.module.css";
import { mergeTexts } from "./merged-text.ts";

interface EditableTextProps {
  /** Name of the text within a sentence, such as "description". */
  readonly label: string;
  readonly edit: TextEdit;
  readonly kind?: "line" | "markdown";
  readonly placeholder?: ReactNode;
  readonly most?: number;
}

/** Text edited in place: click or `e` starts, Escape cancels, Ctrl+Enter saves. One line is also saved on blur. */
export function EditableText({ label, edit, kind = "line", placeholder, most }: EditableTextProps): ReactNode {
  const say = useWords("frame");
  const [base, setBase] = useState<string>();
  const [conflict, setConflict] = useState<{ readonly theirs: string; readonly ours: string; readonly base: string }>();
  const button = useRef<HTMLButtonElement>(null);

  const leave = () => {
    setBase(undefined);
    setConflict(undefined);
    // Keeps the focus of a person who has moved on meanwhile.
    requestAnimationFrame(() => document.activeElement === document.body && button.current?.focus());
  };
  const save = async (text: string, from: string) => {
    if (text === from) return leave();
    try {
      await edit.save(text, from);
      leave();
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      setConflict({ base: from, theirs: String(error.theirs), ours: text });
    }
  };
  const begin = () => setBase(edit.value);
  const text = <ShownText {...{ label, edit, kind, placeholder }} />;
  if (!edit.mayEdit) return text;
  return (
    <>
      {base === undefined ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the inner button is the control
        // biome-ignore lint/a11y/useKeyWithClickEvents: the button handles the keys
        <div
          className={`${styles.shown} ${kind === "line" ? styles.line : ""}`}
          onClick={(event) => {
            // Links in Markdown stay links.
            const isLink = event.target instanceof Element && event.target.closest("a");
            if (!isLink && globalThis.getSelection()?.isCollapsed !== false) begin();
          }}
        >
          {text}
          <UnstyledButton
            ref={button}
            className={styles.pencil}
            aria-label={say("editText", { label })}
            onKeyDown={(event) => {
              if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
              event.preventDefault();
              begin();
            }}
          />
        </div>
      ) : (
        <TextField
          label={label}
          kind={kind}
          value={base}
          save={(input) => save(input, base)}
          leave={leave}
          most={most}
        />
      )}
      {conflict && (
        <TextConflictDialog
          label={label}
          {...conflict}
          keepTheirs={leave}
          save={(result) => save(result, conflict.theirs)}
          close={() => setConflict(undefined)}
        />
      )}
    </>
  );
}

function ShownText({ label, edit, kind, placeholder }: EditableTextProps) {
  const say = useWords("frame");
  if (edit.value === "")
    return <span className="quiet">{placeholder ?? say(edit.mayEdit ? "addText" : "noText", { label })}</span>;
  if (kind === "markdown") return <MarkdownText text={edit.value} />;
  return <bdi lang="en">{edit.value}</bdi>;
}

interface TextConflictProps {
  readonly label: string;
  readonly base: string;
  readonly theirs: string;
  readonly ours: string;
  readonly keepTheirs: () => void;
  readonly save: (text: string) => Promise<void>;
  readonly close: () => void;
}

function TextConflictDialog(props: TextConflictProps) {
  const { label, base, theirs, ours, keepTheirs, save, close } = props;
  const say = useWords("frame");
  const merge = useMemo(() => mergeTexts(base, theirs, ours), [base, theirs, ours]);
  const [proposal, setProposal] = useState(merge.text);
  const [problem, setProblem] = useState<unknown>();
  const send = (text: string) => void save(text).catch(setProblem);
  const createSide = (title: string, text: string) => (
    <Textarea label={title} value={text} readOnly autosize minRows={2} maxRows={12} />
  );
  return (
    <Dialog close={close} size="xl" title={say("conflictTitle")}>
      <Stack>
        <Text>{say("conflictText", { label })}</Text>
        <Columns>
          {createSide(say("theirs"), theirs)}
          {createSide(say("mine"), ours)}
        </Columns>
        <Textarea
          label={say("conflictMerged")}
          description={merge.clashes > 0 ? say("conflictClash") : undefined}
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
    </Dialog>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly kind: "line" | "markdown";
  readonly value: string;
  readonly save: (text: string) => Promise<void>;
  readonly leave: () => void;
  readonly most: number | undefined;
}

function TextField({ label, kind, value, save, leave, most }: TextFieldProps) {
  const say = useWords("frame");
  const hint = useId();
  const [text, setText] = useState(value);
  const mutation = useMutation({ mutationFn: () => save(text) });
  const busy = mutation.isPending;
  const [view, setView] = useState<"write" | "preview">("write");
  const isLeft = useRef(false);

  const send = () => {
    if (!busy && !isLeft.current) mutation.mutate();
  };
  const leaveUnsaved = () => {
    // Removing the field blurs it, which must not save.
    isLeft.current = true;
    leave();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") leaveUnsaved();
    else if (event.key === "Enter" && (kind === "line" || event.ctrlKey || event.metaKey)) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const props = {
    "aria-label": label,
    "aria-describedby": hint,
    className: styles.field,
    value: text,
    error: mutation.error && <span lang="en">{formatRefusal(mutation.error)}</span>,
    // A disabled field would lose the focus, so the person could not continue after a refusal.
    readOnly: busy,
    "aria-busy": busy,
    onKeyDown: handleKey,
    // The person asked to edit this text.
    autoFocus: true,
    maxLength: most,
  };
  if (kind === "line") {
    return (
      <TextInput
        {...props}
        size="sm"
        miw={Math.min(480, 120 + value.length * 8)}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => send()}
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
          {...props}
          autosize
          minRows={3}
          maxRows={24}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <MarkdownText text={text} />
      )}
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => send()} loading={busy}>
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
