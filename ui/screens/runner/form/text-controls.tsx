import { NativeSelect, PasswordInput, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../../../words/words.ts";
import type { Control } from "./field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { type ControlProps, type Path, toPointer, useForm } from "./form-state.ts";

/** Keeps the typed text of a field, which may be an invalid value. */
export function useDraft(control: TextControl, path: Path, value: unknown) {
  const say = useWords("runner");
  const { put, noteDraft } = useForm();
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string | undefined }>();
  const pointer = toPointer(path);
  const now = JSON.stringify(value);
  // The value changed elsewhere, so the typed text is outdated.
  const holds = draft !== undefined && draft.of === now;
  const text = holds ? draft.text : formatControlText(control, value);
  const typed = parseControlText(control, text, typeof path.at(-1) === "number");
  const isWrong = holds && "fault" in typed;
  useEffect(() => noteDraft(pointer, isWrong), [noteDraft, pointer, isWrong]);
  useEffect(() => () => noteDraft(pointer, false), [noteDraft, pointer]);
  const changeText = (next: string): void => {
    const meant = parseControlText(control, next, typeof path.at(-1) === "number");
    // A list item cannot be removed by clearing its field, so it keeps its value.
    if ("fault" in meant || (meant.value === undefined && typeof path.at(-1) === "number"))
      setDraft({ text: next, of: now });
    else {
      setDraft({ text: next, of: JSON.stringify(meant.value) });
      put(path, meant.value);
    }
  };
  const fault = isWrong && "fault" in typed ? say(`fault_${typed.fault}`) : undefined;
  return { text, type: changeText, fault };
}

/** Field for text on one line or several. */
export function TextField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const { control } = field;
  const { text, type } = useDraft({ kind: "text", lines: "one" }, path, value);
  return (
    <FieldFrame field={field} path={path} {...shown}>
      {(framed) =>
        control.kind === "text" && control.lines === "many" ? (
          <Textarea {...framed} autosize minRows={2} maxRows={12} value={text} onChange={(e) => type(e.target.value)} />
        ) : (
          <TextInput {...framed} value={text} autoComplete="off" onChange={(e) => type(e.target.value)} />
        )
      }
    </FieldFrame>
  );
}

/** Password field: masked, and stored separately from the payload. */
export function SecretField({ field, path, ...shown }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { secrets, setSecret } = useForm();
  return (
    <FieldFrame field={field} path={path} {...shown}>
      {(framed) => (
        <PasswordInput
          {...framed}
          autoComplete="off"
          value={secrets[field.name] ?? ""}
          onChange={(event) => setSecret(field.name, event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": say("showSecret"), tabIndex: 0 }}
        />
      )}
    </FieldFrame>
  );
}

/** Field for a number in JSON notation. */
export function NumberField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const { control } = field;
  const { text, type, fault } = useDraft(control as TextControl, path, value);
  const bounds =
    control.kind === "number"
      ? [control.least, control.most].map((one) => (one === undefined || Math.abs(one) > 1e12 ? "" : String(one)))
      : [];
  return (
    <FieldFrame field={field} path={path} fault={fault} {...shown}>
      {(framed) => (
        <TextInput
          {...framed}
          error={framed.error}
          inputMode="decimal"
          autoComplete="off"
          placeholder={bounds.some(Boolean) ? bounds.join(" – ") : ""}
          maw={240}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** Field for any JSON. */
export function JsonField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const control: TextControl = field.control.kind === "json" ? field.control : { kind: "json", shape: "any" };
  const say = useWords("runner");
  const { text, type, fault } = useDraft(control, path, value);
  return (
    <FieldFrame field={field} path={path} fault={fault} {...shown}>
      {(framed) => (
        <Textarea
          {...framed}
          autosize
          minRows={control.shape === "any" ? 1 : 3}
          maxRows={16}
          ff="monospace"
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          placeholder={say(`json_${control.shape}`)}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** Field for one of several words. */
export function ChoiceField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { put } = useForm();
  const values = field.control.kind === "choice" ? field.control.values : [];
  return (
    <FieldFrame field={field} path={path} {...shown}>
      {(framed) => (
        <NativeSelect
          {...framed}
          value={typeof value === "string" ? value : ""}
          onChange={(event) =>
            put(path, event.currentTarget.value || (typeof path.at(-1) === "number" ? "" : undefined))
          }
        >
          <option value="">{say(field.required ? "choose" : "notGiven")}</option>
          {values.map((one) => (
            <option key={one} value={one} lang="en">
              {one}
            </option>
          ))}
        </NativeSelect>
      )}
    </FieldFrame>
  );
}

/** Field for true, false or no value. */
export function FlagField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { put } = useForm();
  return (
    <FieldFrame field={field} path={path} isGroup {...shown}>
      {(framed) => (
        <SegmentedControl
          aria-labelledby={`${framed.id}-name`}
          size="sm"
          value={value === undefined ? "" : String(value)}
          onChange={(chosen) => put(path, chosen === "" ? undefined : chosen === "true")}
          data={[
            { value: "", label: say("notGiven") },
            { value: "true", label: <span lang="en">true</span> },
            { value: "false", label: <span lang="en">false</span> },
          ]}
        />
      )}
    </FieldFrame>
  );
}

/** A control that edits its value as one text. */
export type TextControl = Extract<
  Control,
  { readonly kind: "text" | "secret" | "ref" | "moment" | "number" | "json" | "choice" }
>;

/** Meaning of a typed text: a value, no value, or a fault. */
type ParsedText = { readonly value: unknown } | { readonly fault: "number" | "whole" | "json" | "object" | "list" };

/** Formats a value as the text in its control. */
export function formatControlText(control: TextControl, value: unknown): string {
  if (value === undefined) return "";
  if (control.kind === "json") return JSON.stringify(value, null, 2);
  return String(value);
}

/**
 * Parses the text of a control. An empty text means "no value", or the empty text in a list item. Numbers and JSON can be
 * invalid.
 */
export function parseControlText(control: TextControl, text: string, isItem = false): ParsedText {
  if (control.kind === "json") return parseTypedJson(control.shape, text);
  if (control.kind !== "number") return { value: text === "" && !isItem ? undefined : text };
  const trimmed = text.trim();
  if (trimmed === "") return { value: undefined };
  // A JSON number: no blanks, hexadecimal digits or infinity.
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return { fault: "number" };
  const number = Number(trimmed);
  if (!Number.isFinite(number)) return { fault: "number" };
  return control.whole && !Number.isInteger(number) ? { fault: "whole" } : { value: number };
}

function parseTypedJson(shape: "any" | "object" | "list", text: string): ParsedText {
  if (text.trim() === "") return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "json" };
  }
  const found = Array.isArray(value) ? "list" : typeof value === "object" && value !== null ? "object" : "any";
  return shape === "any" || found === shape ? { value } : { fault: shape };
}
