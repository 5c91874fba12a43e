import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { faultAt } from "../../parts/fault-at.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useModelsWords } from "../../words/models.ts";
import { keyOf } from "./key-of.ts";

interface CreateModelProps {
  readonly close: () => void;
  /** Told the key of the new model. */
  readonly done: (key: string) => void;
}

const FIELDS = ["name", "key", "description", "version"] as const;

/** Asks what a new model is called, and makes it. The key follows the name until somebody writes another. */
export function CreateModel({ close, done }: CreateModelProps): ReactNode {
  const say = useModelsWords();
  const write = useWrite("model/model_create");
  const [given, setGiven] = useState({ name: "", key: "", description: "", version: "" });
  const key = given.key || keyOf(given.name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { ...given, key } }, { onSuccess: () => done(key) });
  };
  const field = (name: (typeof FIELDS)[number]) => {
    const fault = faultAt(write.error, `/${name}`);
    return {
      label: say(`field_${name}`),
      value: given[name],
      error: fault && <span lang="en">{fault}</span>,
      onChange: (event: { currentTarget: { value: string } }) =>
        setGiven({ ...given, [name]: event.currentTarget.value }),
    };
  };
  const isElsewhere = write.error && !FIELDS.some((name) => faultAt(write.error, `/${name}`));
  return (
    <Modal opened onClose={close} title={say("create")} closeButtonProps={{ "aria-label": say("close") }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput {...field("name")} data-autofocus required withAsterisk={false} maxLength={200} />
          <TextInput
            {...field("key")}
            value={key}
            description={say("keyText")}
            required
            withAsterisk={false}
            maxLength={128}
            spellCheck={false}
          />
          <Textarea {...field("description")} description={say("markdown")} autosize minRows={3} maxRows={12} />
          <TextInput {...field("version")} placeholder="0.0.1" />
          {isElsewhere && <ProblemBox problem={write.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
