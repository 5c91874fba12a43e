import { Text } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { JsonEditor } from "../../../parts/text/json-editor.tsx";
import { useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import type { Field } from "./field.ts";
import { FieldAt } from "./field-at.tsx";
import styles from "./form.module.css";
import { FormContext, type FormState, isObject, type JsonObject, listSecretNames } from "./form-state.ts";
import { Members } from "./group-controls.tsx";
import type { PayloadState } from "./use-payload.ts";

/** Name under which an invalid JSON text of the payload is recorded. */
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
  useEffect(() => noteDraft(DRAFT, isWrong), [noteDraft, isWrong]);
  const secrets = listSecretNames(form);
  const changeText = (next: string): void => {
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
    <section className={styles.payloadPane} aria-label={say("payload")}>
      <h2 className={styles.paneTitle}>{say("payload")}</h2>
      <JsonEditor label={say("payloadLabel")} value={text} onChange={changeText} minHeight={120} maxHeight={380} />
      {isWrong && (
        <Text size="xs" c="var(--mantine-color-error)" role="status">
          {say("payloadWrong")}
        </Text>
      )}
      {secrets.length > 0 && (
        <Text size="xs" c="dimmed">
          {say("secretsApart", { count: secrets.length, names: formatList(secrets) })}
        </Text>
      )}
    </section>
  );
}

interface PayloadFormProps {
  readonly form: Field;
  readonly state: PayloadState;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Prefix of element ids, for pages with several forms. */
  readonly prefix: string;
}

/** Form of a payload with a field for every parameter. */
export function PayloadForm({ form, state, faults, prefix }: PayloadFormProps): ReactNode {
  const say = useWords("runner");
  const { payload, secrets, put, setSecret, noteDraft } = state;
  const value = useMemo<FormState>(
    () => ({ form, payload, secrets, put, setSecret, noteDraft, faults, prefix, FieldAt }),
    [form, payload, secrets, put, setSecret, noteDraft, faults, prefix],
  );
  const isEmpty = form.control.kind === "object" && form.control.members.length === 0;
  return (
    <FormContext value={value}>
      <div className={styles.fields}>
        {isEmpty && <p className={styles.none}>{say("noParameters")}</p>}
        <Members field={form} path={[]} value={payload} />
      </div>
    </FormContext>
  );
}
