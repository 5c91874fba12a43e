import { Autocomplete, Checkbox, Loader, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { parseTypedRef } from "../../../api/refs.ts";
import { IconButton } from "../../../parts/icon-button.tsx";
import { type AboveRefs, findRefKind, useRefChoices } from "../../../parts/pickers/ref-source.ts";
import { formatRefusal } from "../../../parts/refusal.ts";
import { foldText } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import { type Control, type ControlOf, type Field, listMembers } from "./field.ts";
import styles from "./form.module.css";
import { type JsonObject, type Path, toPointer } from "./form-state.ts";
import { useForm } from "./use-payload.ts";

export const MONOSPACE = { input: { fontFamily: "var(--mantine-font-family-monospace)" } } as const;

interface FrameProps {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly error: boolean;
}

interface TextProps extends FrameProps {
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void;
}

const isItem = (path: Path) => typeof path.at(-1) === "number";

/** Returns the properties of a text field; an empty text removes the value, except that of a list item. */
export function useTextProps(path: Path, value: unknown, frame: FrameProps): TextProps & { put(text: string): void } {
  const { put } = useForm();
  const putText = (text: string) => put(path, text === "" && !isItem(path) ? undefined : text);
  return {
    ...frame,
    value: typeof value === "string" ? value : "",
    onChange: (event) => putText(event.currentTarget.value),
    put: putText,
  };
}

interface InputProps<K extends Control["kind"]> {
  readonly control: ControlOf<K>;
  readonly path: Path;
  readonly value: unknown;
  readonly frame: FrameProps;
}

/** Field for a number or for JSON; keeps the typed text, which may be an invalid value. */
export function DraftInput({ control, path, value, frame }: InputProps<"number" | "json">): ReactNode {
  const say = useWords("runner");
  const { put, noteDraft } = useForm();
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string | undefined }>();
  const pointer = toPointer(path);
  const now = JSON.stringify(value);
  // If the value changed elsewhere, the typed text is outdated.
  const text = draft !== undefined && draft.of === now ? draft.text : undefined;
  const result = parseControlText(control, text ?? "");
  const fault = "fault" in result ? say(`fault_${result.fault}`) : undefined;
  useEffect(() => noteDraft(pointer, fault), [noteDraft, pointer, fault]);
  useEffect(() => () => noteDraft(pointer, undefined), [noteDraft, pointer]);
  const props: TextProps = {
    ...frame,
    value: text ?? formatControlText(control, value),
    onChange: ({ currentTarget: { value: text } }) => {
      const next = parseControlText(control, text);
      // A list item cannot be removed by clearing its field, so it keeps its value.
      const isRefused = "fault" in next || (next.value === undefined && isItem(path));
      setDraft({ text, of: isRefused ? now : JSON.stringify(next.value) });
      if (!isRefused) put(path, next.value);
    },
  };
  if (control.kind === "number") {
    const bounds = [control.least, control.most].map((one) => (Math.abs(one ?? Infinity) > 1e12 ? "" : String(one)));
    return (
      <TextInput
        {...props}
        inputMode="decimal"
        autoComplete="off"
        placeholder={bounds.some(Boolean) ? bounds.join(" – ") : ""}
        maw={240}
      />
    );
  }
  return (
    <Textarea
      {...props}
      autosize
      minRows={control.shape === "any" ? 1 : 3}
      maxRows={16}
      spellCheck={false}
      styles={MONOSPACE}
      placeholder={say(`json_${control.shape}`)}
    />
  );
}

/** Point in time as ISO 8601: typed, or picked in the local time zone. */
export function TimeInput({ path, value, frame }: Omit<InputProps<"time">, "control">): ReactNode {
  const say = useWords("runner");
  const { put, ...props } = useTextProps(path, value, frame);
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      {...props}
      placeholder="2026-11-22T09:30:00Z"
      autoComplete="off"
      maw={320}
      rightSection={
        <>
          <IconButton label={say("calendar")} icon={IconCalendar} run={() => calendar.current?.showPicker()} />
          <input
            ref={calendar}
            type="datetime-local"
            className={styles.calendar}
            tabIndex={-1}
            aria-hidden
            onChange={({ currentTarget }) => {
              const date = new Date(currentTarget.value);
              if (!Number.isNaN(date.getTime())) put(date.toISOString().replace(/\.000Z$/, "Z"));
            }}
          />
        </>
      }
    />
  );
}

const MAX_CHOICES = 80;

/** Field for a ref: typing searches names and keys, and any ref can be entered. */
export function RefInput({ control, path, value, frame }: InputProps<"ref">): ReactNode {
  const say = useWords("runner");
  const { form, payload } = useForm();
  const { put, ...props } = useTextProps(path, value, frame);
  const [isAsked, setAsked] = useState(false);
  const above = findParentRefs(form, payload, path);
  const { choices, isLoading, error } = useRefChoices(findRefKind(control.of), above, isAsked);
  const names = new Map(choices.map(({ ref, name }) => [ref, name]));
  // All choices are visible if the text is one of them.
  const words = names.has(props.value) ? [] : foldText(props.value.replace(/^(?:key|id):/, "")).split(/\s+/);
  const refs = [...names].flatMap(([ref, name = ""]) =>
    words.every((word) => foldText(`${ref} ${name}`).includes(word)) ? [ref] : [],
  );
  return (
    <>
      <Autocomplete
        {...props}
        onChange={put}
        onFocus={() => setAsked(true)}
        onBlur={() => setAsked(false)}
        data={refs.slice(0, MAX_CHOICES)}
        filter={({ options }) => options}
        renderOption={({ option: { value: ref } }) => (
          <span className={styles.offer} lang="en">
            {names.get(ref) && <span dir="auto">{names.get(ref)}</span>}
            <span className="quiet tiny mono">{ref}</span>
          </span>
        )}
        maxDropdownHeight={320}
        spellCheck={false}
        autoComplete="off"
        rightSection={isLoading ? <Loader size={14} /> : undefined}
        placeholder={say(control.of.endsWith("Ref") ? "refHint" : "searchHint")}
        {...(props.value && { styles: MONOSPACE })}
      />
      {error && error.status !== 404 && (
        <p className="hint" lang="en">
          {formatRefusal(error)}
        </p>
      )}
    </>
  );
}

const ABOVE_TYPES = { modelRef: "ModelRef", entityRef: "EntityRef", relationshipRef: "RelationshipRef" } as const;

/** Returns the parent refs of a field: the last valid ref of each type before it; in a pair, that of its side. */
function findParentRefs(form: Field, payload: JsonObject, path: Path): AboveRefs {
  const members = listMembers(form);
  const own = members.findIndex(({ name }) => name === path[0]);
  const inPair = members[own]?.type?.includes("Pair<") ? Number(path.at(-1)) : undefined;
  const refs = Object.entries(ABOVE_TYPES).map(([name, type]) => {
    const before = members.slice(0, own).findLast((member) => member.type === type && payload[member.name]);
    const others = members.filter((member, at) => member.type === type && payload[member.name] && at !== own);
    // In a pair whose entities come later, a later ref is used.
    const parameter = (inPair === undefined ? before : others[inPair]) ?? others[0];
    return [name, parseTypedRef(parameter && String(payload[parameter.name]))];
  });
  return Object.fromEntries(refs);
}

/** Field for several words, in the order of selection. */
export function ChoicesInput({
  field: { required },
  control: { values },
  path,
  value,
}: Omit<InputProps<"choices">, "frame"> & { readonly field: Field }): ReactNode {
  const { put } = useForm();
  const chosenValues: readonly string[] = Array.isArray(value) ? value : [];
  return (
    <div className={styles.words}>
      {values.map((one) => (
        <Checkbox
          key={one}
          size="xs"
          value={one}
          label={<span lang="en">{one}</span>}
          checked={chosenValues.includes(one)}
          onChange={({ currentTarget: { checked } }) => {
            const next = checked ? [...chosenValues, one] : chosenValues.filter((other) => other !== one);
            put(path, next.length === 0 && !required ? undefined : next);
          }}
        />
      ))}
    </div>
  );
}

/** Field for true, false or no value. */
export function FlagInput({ path, value, frame }: Omit<InputProps<"flag">, "control">): ReactNode {
  const say = useWords("runner");
  const { put } = useForm();
  return (
    <SegmentedControl
      aria-labelledby={`${frame.id}-name`}
      size="sm"
      value={value === undefined ? "" : String(value)}
      onChange={(text) => put(path, text === "" ? undefined : text === "true")}
      data={[
        { value: "", label: say("notGiven") },
        ...["true", "false"].map((one) => ({ value: one, label: <span lang="en">{one}</span> })),
      ]}
    />
  );
}

/** A control that edits its value as one text. */
export type TextControl = ControlOf<"text" | "secret" | "ref" | "time" | "number" | "json" | "choice">;

type ParsedText = { readonly value: unknown } | { readonly fault: "number" | "whole" | "json" | "object" | "list" };

/** Formats a value as the text in its control. */
export function formatControlText(control: TextControl, value: unknown): string {
  if (value === undefined) return "";
  return control.kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** Parses the text of a control; an empty text means no value, or the empty text in a list item. */
export function parseControlText(control: TextControl, text: string, isItem = false): ParsedText {
  if (control.kind === "json") return parseTypedJson(control.shape, text);
  if (control.kind !== "number") return { value: text === "" && !isItem ? undefined : text };
  const trimmedText = text.trim();
  if (trimmedText === "") return { value: undefined };
  // A JSON number: no blanks, hexadecimal digits or infinity.
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmedText)) return { fault: "number" };
  const number = Number(trimmedText);
  if (!Number.isFinite(number)) return { fault: "number" };
  return control.whole && !Number.isInteger(number) ? { fault: "whole" } : { value: number };
}

function parseTypedJson(shape: ControlOf<"json">["shape"], text: string): ParsedText {
  if (text.trim() === "") return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "json" };
  }
  const valueShape = Array.isArray(value) ? "list" : typeof value === "object" && value !== null ? "object" : "any";
  return shape === "any" || valueShape === shape ? { value } : { fault: shape };
}
