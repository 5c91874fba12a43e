import { Button, Group, Modal, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiProblem } from "../../client/create-client.ts";
import { useWords } from "../words/words.ts";
import { ProblemBox } from "./problem-box.tsx";

/** What the service found wrong with a parameter, by its name; undefined where it found nothing. */
export type FaultOf = (parameter: string) => ReactNode | undefined;

interface CreateDialogProps {
  readonly title: string;
  /** The parameter that a taken key is told at. */
  readonly keyParameter: string;
  /** Draws the fields; each shows the faults of its parameter. */
  readonly fields: (faultOf: FaultOf) => ReactNode;
  /** Creates it; what it throws stands at the fields that it names. */
  readonly create: () => Promise<void>;
  readonly close: () => void;
}

/** The dialog that creates an object: fields, and what the service refuses at the field that it names. */
export function CreateDialog({ title, keyParameter, fields, create, close }: CreateDialogProps): ReactNode {
  const say = useWords("structure");
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const told = new Set<string>();
  const faultOf: FaultOf = (parameter) => {
    if (!(problem instanceof ApiProblem)) return undefined;
    const faults = (problem.errors ?? []).filter(
      ({ pointer }) => pointer === `/${parameter}` || pointer?.startsWith(`/${parameter}/`),
    );
    const text =
      problem.code === "key_taken" && parameter === keyParameter
        ? problem.message
        : faults.map(({ detail }) => detail).join("; ");
    if (text === "") return undefined;
    told.add(problem.code);
    return <span lang="en">{text}</span>;
  };
  const drawn = fields(faultOf);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    setProblem(undefined);
    try {
      await create();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": say("close") }}>
      <form
        noValidate
        onSubmit={(event) => void send(event)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send(event);
        }}
      >
        <Stack gap="sm">
          {drawn}
          {problem !== undefined && told.size === 0 && <ProblemBox problem={problem} />}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={close}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {say("create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
