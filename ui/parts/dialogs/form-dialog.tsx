import { Button, PasswordInput, Stack, Textarea, TextInput, type TextInputProps } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWords } from "../../words/words.ts";
import { Dialog, DialogButtons } from "../dialog.tsx";
import { findFaultAt, findProblemWithoutField } from "../field-faults.ts";
import { ProblemBox } from "../problem-box.tsx";

/** Properties of a dialog that creates an object. */
export interface CreateProps {
  readonly close: () => void;
  /** Takes the id or key under which the object is shown. */
  readonly onCreated: (id: string) => void;
}

interface FormField
  extends Pick<
    TextInputProps,
    "type" | "label" | "description" | "placeholder" | "required" | "maxLength" | "autoComplete"
  > {
  readonly isLong?: boolean;
}

interface FormDialogProps<F extends string> {
  readonly title: string;
  readonly submit: string;
  readonly fields: Readonly<Record<F, FormField>>;
  readonly initial?: Partial<Readonly<Record<F, string>>>;
  readonly complete?: (texts: Readonly<Record<F, string>>) => Readonly<Record<F, string>>;
  readonly write: { readonly error: unknown; readonly isPending: boolean };
  readonly send: (texts: Readonly<Record<F, string>>) => void;
  readonly close: () => void;
  readonly text?: string;
  readonly others?: readonly string[];
  readonly children?: ReactNode;
}

const keepTexts = <T,>(texts: T): T => texts;

/** Dialog with text fields that sends one write. */
export function FormDialog<F extends string>(props: FormDialogProps<F>): ReactNode {
  const { title, fields, complete = keepTexts, write, send, close, others = [] } = props;
  const say = useWords("frame");
  // The keys of the object are its parameters.
  const names = Object.keys(fields) as F[];
  const [inputs, setInputs] = useState<Partial<Readonly<Record<F, string>>>>(props.initial ?? {});
  const texts = complete(Object.fromEntries(names.map((name) => [name, inputs[name] ?? ""])) as Record<F, string>);
  const problem = findProblemWithoutField(write.error, [...names, ...others]);
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    send(texts);
  };
  return (
    <Dialog close={close} title={title}>
      <form onSubmit={submitForm}>
        <Stack gap="sm">
          {props.text && <p style={{ margin: 0 }}>{props.text}</p>}
          {problem !== undefined && <ProblemBox problem={problem} />}
          {names.map((name, at) => {
            const { isLong, ...rest }: FormField = fields[name];
            const field = {
              ...rest,
              ...(at === 0 && { "data-autofocus": true }),
              value: texts[name],
              error: findFaultAt(write.error, name),
              onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
                setInputs({ ...inputs, [name]: currentTarget.value }),
            };
            if (isLong) return <Textarea key={name} {...field} autosize minRows={3} maxRows={12} />;
            if (field.type !== "password") return <TextInput key={name} {...field} />;
            return (
              <PasswordInput
                key={name}
                {...field}
                autoComplete="new-password"
                visibilityToggleButtonProps={{ "aria-label": say("showPassword") }}
              />
            );
          })}
          {props.children}
          <DialogButtons close={close}>
            <Button type="submit" loading={write.isPending}>
              {props.submit}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
