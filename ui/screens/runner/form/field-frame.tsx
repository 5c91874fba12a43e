import { Tooltip, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../../words/words.ts";
import type { Field } from "./field.ts";
import styles from "./form.module.css";
import { type Path, toPointer, useForm } from "./form-state.ts";

/** Properties that a control takes from its frame. */
export interface Framed {
  readonly id: string;
  readonly "aria-describedby": string;
  /** True if the field has a fault. */
  readonly error: boolean;
}

interface FieldFrameProps {
  readonly field: Field;
  readonly path: Path;
  /** The visible label; the name of the field by default. */
  readonly label?: string | undefined;
  /** Fault of the typed text, in addition to those of the service. */
  readonly fault?: string | undefined;
  /** Shown next to the label. */
  readonly tools?: ReactNode;
  /** True if the control is a group of elements, which a label element cannot name. */
  readonly isGroup?: boolean;
  readonly children: (framed: Framed) => ReactNode;
}

/** Splits a description into its first sentence and the rest. */
function splitSentences(text: string): readonly [string, string] {
  const end = /[.:](?=\s)/.exec(text);
  if (!end) return [text, ""];
  return [text.slice(0, end.index + 1).replace(/:$/, "."), text.slice(end.index + 1).trim()];
}

/** Label, type, description and faults around the control of a field. */
export function FieldFrame(props: FieldFrameProps): ReactNode {
  const { field, path, label = field.name, fault, tools, isGroup = false, children } = props;
  const say = useWords("runner");
  const { faults, prefix } = useForm();
  const pointer = toPointer(path);
  const id = `${prefix}${pointer}`;
  const found = [...(fault ? [fault] : []), ...(faults.get(pointer) ?? [])];
  const [first, rest] = splitSentences(field.description);
  const name = (
    <>
      <span lang="en">{label}</span>
      {field.required && path.length > 0 && field.name !== "" && (
        <span className={styles.required}>
          <VisuallyHidden> </VisuallyHidden>
          {say("required")}
        </span>
      )}
    </>
  );
  return (
    <div
      className={styles.field}
      data-pointer={pointer}
      data-control={field.control.kind}
      {...(isGroup && { role: "group", "aria-labelledby": `${id}-name`, "aria-describedby": `${id}-about` })}
    >
      <div className={styles.head}>
        {isGroup ? (
          <span id={`${id}-name`} className={styles.label}>
            {name}
          </span>
        ) : (
          <label id={`${id}-name`} htmlFor={id} className={styles.label}>
            {name}
          </label>
        )}
        {field.type && (
          <Tooltip label={<span lang="en">{field.description}</span>} multiline maw={360} disabled={rest === ""}>
            <span className={styles.type} lang="en">
              {field.type}
            </span>
          </Tooltip>
        )}
        {tools}
      </div>
      {children({ id, "aria-describedby": `${id}-about`, error: found.length > 0 })}
      <div id={`${id}-about`}>
        {found.map((text) => (
          <div key={text} className={styles.fault} {...(text !== fault && { lang: "en" })}>
            {text}
          </div>
        ))}
        {first && (
          <div className={styles.about} lang="en">
            {first}
            {rest && <VisuallyHidden> {rest}</VisuallyHidden>}
          </div>
        )}
      </div>
    </div>
  );
}
