import { type ReactNode, useMemo } from "react";
import { useWords } from "../../../words/words.ts";
import type { Field } from "../form/field.ts";
import { FieldAt } from "../form/field-at.tsx";
import { FormContext, type FormState } from "../form/form-state.ts";
import { Members } from "../form/group-controls.tsx";
import type { PayloadState } from "../form/use-payload.ts";
import styles from "../runner.module.css";

interface PayloadFormProps {
  readonly form: Field;
  readonly state: PayloadState;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Before the ids of its elements, where a page has several forms. */
  readonly prefix: string;
}

/** The form of a payload: a field for every parameter. */
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
