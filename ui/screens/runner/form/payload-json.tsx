import { Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { JsonEditor } from "../../../parts/text/json-editor.tsx";
import { useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import { type Field, listMembers } from "./field.ts";
import { Members } from "./field-at.tsx";
import { isObject, type JsonObject, listSecretNames } from "./form-state.ts";
import { FormContext, type PayloadState } from "./use-payload.ts";

const DRAFT = "payload";

interface PayloadJsonProps {
  readonly form: Field;
  readonly state: PayloadState;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The payload as JSON, synchronized with the form, without secrets. */
export function PayloadJson({ form, state }: PayloadJsonProps): ReactNode {
  const say = useWords("runner");
  const { formatList } = useFormats();
  const { payload, replace, noteDraft } = state;
  const now = JSON.stringify(payload);
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: string }>();
  // A change in the form replaces the text typed here.
  const holds = draft !== undefined && draft.of === now;
  const text = holds ? draft.text : JSON.stringify(payload, null, 2);
  const isWrong = holds && parseObject(draft.text) === undefined;
  const fault = isWrong ? say("payloadWrong") : undefined;
  useEffect(() => noteDraft(DRAFT, fault), [noteDraft, fault]);
  const secrets = listSecretNames(form);
  const changeText = (next: string) => {
    if (next === text) return;
    const object = parseObject(next);
    if (!object) {
      setDraft({ text: next, of: now });
      return;
    }
    const open = Object.fromEntries(Object.entries(object).filter(([name]) => !secrets.includes(name)));
    // A secret typed here moves to its field and leaves this text.
    setDraft(
      Object.keys(open).length < Object.keys(object).length ? undefined : { text: next, of: JSON.stringify(open) },
    );
    replace(object);
  };
  return (
    <section className="column shrink" aria-label={say("payload")}>
      <h2>{say("payload")}</h2>
      <JsonEditor label={say("payloadLabel")} value={text} onChange={changeText} minHeight={120} maxHeight={380} />
      {fault !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="status">
          {fault}
        </Text>
      )}
      {secrets.length > 0 && (
        <p className="hint">{say("secretsApart", { count: secrets.length, names: formatList(secrets) })}</p>
      )}
    </section>
  );
}

interface PayloadFormProps extends PayloadJsonProps {
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Prefix of element ids, for pages with several forms. */
  readonly prefix: string;
}

/** Form of a payload with a field for every parameter. */
export function PayloadForm({ form, state, faults, prefix }: PayloadFormProps): ReactNode {
  const say = useWords("runner");
  const members = listMembers(form);
  return (
    <FormContext value={{ ...state, form, faults, prefix }}>
      <Stack gap={18}>
        {members.length === 0 && <Text c="dimmed">{say("noParameters")}</Text>}
        <Members members={members} path={[]} value={state.payload} />
      </Stack>
    </FormContext>
  );
}
