import { Button, Group, PasswordInput, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWords } from "../../words/words.ts";
import { Dialog } from "../dialog.tsx";
import { findFaultAt, findProblemWithoutField } from "../field-faults.ts";
import { ProblemBox } from "../problem-box.tsx";

interface FormDialogProps<F extends string> {
  readonly title: string;
  /** Label of the button that sends the form. */
  readonly submit: string;
  /** Text fields by parameter, in their order. */
  readonly fields: Readonly<
    Record<F, Pick<TextInputProps, "type" | "label" | "description" | "required" | "maxLength" | "autoComplete">>
  >;
  /** Initial texts of fields that do not start empty. */
  readonly initial?: Partial<Readonly<Record<F, string>>>;
  /** The write of the form; its faults appear at their fields. */
  readonly write: { readonly error: unknown; readonly isPending: boolean };
  readonly send: (texts: Readonly<Record<F, string>>) => void;
  readonly close: () => void;
  /** Shown above the fields. */
  readonly text?: string;
  /** Parameters of the additional fields. */
  readonly others?: readonly string[];
  /** Additional fields below the text fields. */
  readonly children?: ReactNode;
}

/** Dialog with text fields that sends one write. */
export function FormDialog<F extends string>(props: FormDialogProps<F>): ReactNode {
  const { title, submit, fields, initial, write, send, close, text, others = [], children } = props;
  const say = useWords("frame");
  // The keys of the object are its parameters.
  const names = Object.keys(fields) as F[];
  const [typed, setTyped] = useState<Partial<Readonly<Record<F, string>>>>(initial ?? {});
  const problem = findProblemWithoutField(write.error, [...names, ...others]);
  const submitForm = (event: FormEvent): void => {
    event.preventDefault();
    send(Object.fromEntries(names.map((name) => [name, typed[name] ?? ""])) as Record<F, string>);
  };
  return (
    <Dialog close={close} title={title}>
      <form onSubmit={submitForm}>
        <Stack gap="sm">
          {text && <p style={{ margin: 0 }}>{text}</p>}
          {problem !== undefined && <ProblemBox problem={problem} />}
          {names.map((name, at) => {
            const field = {
              ...fields[name],
              ...(at === 0 && { "data-autofocus": true }),
              value: typed[name] ?? "",
              error: findFaultAt(write.error, name),
              onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
                setTyped({ ...typed, [name]: currentTarget.value }),
            };
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
          {children}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
