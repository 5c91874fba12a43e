import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ApiProblem } from "../../../client/create-client.ts";
import { useWords } from "../../words/words.ts";
import { Dialog, DialogButtons, useSubmit } from "../dialog.tsx";
import { listFaultsAt } from "../field-faults.ts";
import { ProblemBox } from "../problem-box.tsx";

type FindFault = (parameter: string) => ReactNode | undefined;

interface CreateDialogProps {
  readonly title: string;
  /** Parameter whose field reports that the key is taken. */
  readonly keyParameter: string;
  readonly renderFields: (findFault: FindFault) => ReactNode;
  readonly create: () => Promise<void>;
  readonly close: () => void;
}

/** Dialog that creates an object; faults from the service appear at their fields. */
export function CreateDialog({ title, keyParameter, renderFields, create, close }: CreateDialogProps): ReactNode {
  const say = useWords("structure");
  const { problem, isBusy, form } = useSubmit(create);
  let isReported = false;
  const findFault: FindFault = (parameter) => {
    const isTaken = problem instanceof ApiProblem && problem.code === "key_taken" && parameter === keyParameter;
    const faults = listFaultsAt(problem, parameter).map(({ detail }) => detail);
    const text = isTaken ? problem.message : faults.join("; ");
    if (text === "") return undefined;
    isReported = true;
    return <span lang="en">{text}</span>;
  };
  const fields = renderFields(findFault);
  return (
    <Dialog close={close} title={title}>
      <form noValidate {...form}>
        <Stack gap="sm">
          {fields}
          {problem !== undefined && !isReported && <ProblemBox problem={problem} />}
          <DialogButtons close={close}>
            <Button type="submit" loading={isBusy}>
              {say("create")}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  );
}

interface CreateNamedProps extends Pick<CreateDialogProps, "title" | "keyParameter" | "close"> {
  readonly create: (key: string, texts: { readonly name?: string; readonly description?: string }) => Promise<void>;
  readonly hasDescription?: boolean;
  readonly renderBefore?: (findFault: FindFault) => ReactNode;
  readonly renderAfter?: (findFault: FindFault) => ReactNode;
}

/** Dialog that creates an object with a key, a name and a description. */
export function CreateNamed(props: CreateNamedProps): ReactNode {
  const { title, keyParameter, create, close, hasDescription = true, renderBefore, renderAfter } = props;
  const say = useWords("structure");
  const [key, setKey] = useState("");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const texts = { ...(name.trim() && { name }), ...(description.trim() && { description }) };
  return (
    <CreateDialog
      title={title}
      keyParameter={keyParameter}
      close={close}
      create={() => create(key, texts)}
      renderFields={(findFault) => (
        <>
          {renderBefore?.(findFault)}
          <TextInput
            label={say("key")}
            value={key}
            error={findFault(keyParameter)}
            required
            withAsterisk={false}
            data-autofocus
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <TextInput
            label={say("name")}
            value={name}
            error={findFault("name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {hasDescription && (
            <Textarea
              label={say("description")}
              value={description}
              error={findFault("description")}
              autosize
              minRows={2}
              maxRows={12}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          )}
          {renderAfter?.(findFault)}
        </>
      )}
    />
  );
}
