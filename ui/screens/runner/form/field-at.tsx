import type { ComponentType, ReactNode } from "react";
import { useRunnerWords } from "../../../words/runner.ts";
import type { Control } from "./field.ts";
import { canShow } from "./fit.ts";
import styles from "./form.module.css";
import type { ControlProps } from "./form-state.ts";
import { ChoicesField, ListField, ObjectField, VariantsField } from "./group-controls.tsx";
import { MomentField } from "./moment-field.tsx";
import { RefField } from "./ref-field.tsx";
import { ChoiceField, FlagField, JsonField, NumberField, SecretField, TextField } from "./text-controls.tsx";

const CONTROLS: Readonly<Record<Control["kind"], ComponentType<ControlProps>>> = {
  text: TextField,
  secret: SecretField,
  ref: RefField,
  moment: MomentField,
  number: NumberField,
  flag: FlagField,
  choice: ChoiceField,
  choices: ChoicesField,
  list: ListField,
  object: ObjectField,
  variants: VariantsField,
  json: JsonField,
};

/** The control of one place of a payload; what it cannot show is shown as JSON. */
export function FieldAt(props: ControlProps): ReactNode {
  const say = useRunnerWords();
  const { control } = props.field;
  if (canShow(control, props.value)) {
    const Shown = CONTROLS[control.kind];
    return <Shown {...props} />;
  }
  const field = { ...props.field, control: { kind: "json", shape: "any" } as const };
  return (
    <JsonField
      {...props}
      field={field}
      tools={
        <>
          <span className={styles.aside}>{say("asJson")}</span>
          {props.tools}
        </>
      }
    />
  );
}
