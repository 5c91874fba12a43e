import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { useWords } from "../words/words.ts";

/** Sends a form, also on Ctrl+Enter; `problem` is the error of the last attempt. */
export function useSubmit(send: () => Promise<void>) {
  const { mutate, error, isPending } = useMutation<void, unknown>({ mutationFn: send });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form may be inside another element that handles Enter, such as a panel.
    event.stopPropagation();
    mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
  };
  return { problem: error ?? undefined, isBusy: isPending, form: { onSubmit: submit, onKeyDown } };
}

interface EditorFormProps {
  readonly submit?: string;
  readonly save: () => Promise<void>;
  readonly leave: () => void;
  readonly children: (problem: unknown) => ReactNode;
}

/** Form that edits a value in place. It saves and leaves, or leaves without saving. */
export function EditorForm({ submit, save, leave, children }: EditorFormProps): ReactNode {
  const say = useWords("structure");
  const { problem, isBusy, form } = useSubmit(async () => {
    await save();
    leave();
  });
  return (
    <form {...form}>
      <Stack gap="sm">
        {children(problem)}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isBusy}>
            {submit ?? say("save")}
          </Button>
          <Button size="xs" variant="default" onClick={leave}>
            {say("cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DialogProps extends Pick<ModalProps, "title" | "size" | "children"> {
  readonly close: () => void;
}

/** Open dialog with a title and a button that closes it. */
export function Dialog({ close, ...props }: DialogProps): ReactNode {
  const say = useWords("frame");
  return <Modal opened onClose={close} closeButtonProps={{ "aria-label": say("close") }} {...props} />;
}

interface DialogButtonsProps {
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Buttons at the end of a dialog: one that leaves it, and those that act. */
export function DialogButtons({ close, children }: DialogButtonsProps): ReactNode {
  const say = useWords("frame");
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button variant="default" onClick={close}>
        {say("cancel")}
      </Button>
      {children}
    </Group>
  );
}
