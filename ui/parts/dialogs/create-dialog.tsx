import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiProblem } from "../../../client/create-client.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";

/** Returns the fault of a parameter from the service; undefined for none. */
export type FindFault = (parameter: string) => ReactNode | undefined;

interface CreateDialogProps {
  readonly title: string;
  /** Parameter whose field reports that the key is taken. */
  readonly keyParameter: string;
  /** Renders the fields; each shows the faults of its parameter. */
  readonly renderFields: (findFault: FindFault) => ReactNode;
  /** Creates the object; faults in its error appear at their fields. */
  readonly create: () => Promise<void>;
  readonly close: () => void;
}

/** Dialog that creates an object; faults from the service appear at their fields. */
export function CreateDialog({ title, keyParameter, renderFields, create, close }: CreateDialogProps): ReactNode {
  const say = useWords("structure");
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const reportedParameters = new Set<string>();
  const findFault: FindFault = (parameter) => {
    if (!(problem instanceof ApiProblem)) return undefined;
    const faults = (problem.errors ?? []).filter(
      ({ pointer }) => pointer === `/${parameter}` || pointer?.startsWith(`/${parameter}/`),
    );
    const text =
      problem.code === "key_taken" && parameter === keyParameter
        ? problem.message
        : faults.map(({ detail }) => detail).join("; ");
    if (text === "") return undefined;
    reportedParameters.add(problem.code);
    return <span lang="en">{text}</span>;
  };
  const drawn = renderFields(findFault);
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
          {problem !== undefined && reportedParameters.size === 0 && <ProblemBox problem={problem} />}
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

interface CreateNamedProps {
  readonly title: string;
  /** Parameter of the key. */
  readonly keyParameter: string;
  /** Creates the object with a key and the other texts that are not empty. */
  readonly create: (key: string, texts: ReturnType<typeof readFormTexts>) => Promise<void>;
  readonly close: () => void;
  /** False omits the description. */
  readonly hasDescription?: boolean;
  /** Renders additional fields before the texts. */
  readonly renderBefore?: (findFault: FindFault) => ReactNode;
  readonly renderAfter?: (findFault: FindFault) => ReactNode;
}

/** Dialog that creates an object with a key, a name and a description. */
export function CreateNamed(props: CreateNamedProps): ReactNode {
  const { title, keyParameter, create, close, hasDescription = true, renderBefore, renderAfter } = props;
  const [texts, setTexts] = useState(NO_TEXTS);
  return (
    <CreateDialog
      title={title}
      keyParameter={keyParameter}
      close={close}
      create={() => create(texts.key, readFormTexts(texts))}
      renderFields={(findFault) => (
        <>
          {renderBefore?.(findFault)}
          <NewTextFields
            texts={texts}
            setTexts={setTexts}
            keyFault={findFault(keyParameter)}
            nameFault={findFault("name")}
            descriptionFault={hasDescription && findFault("description")}
            hasDescription={hasDescription}
          />
          {renderAfter?.(findFault)}
        </>
      )}
    />
  );
}

/** Key, name and description of a new object. */
interface NewTexts {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

const NO_TEXTS: NewTexts = { key: "", name: "", description: "" };

/** Returns the texts of a new object that are not empty, as parameters of the action. */
const readFormTexts = ({ name, description }: NewTexts) => ({
  ...(name.trim() !== "" && { name }),
  ...(description.trim() !== "" && { description }),
});

interface NewTextFieldsProps {
  readonly texts: NewTexts;
  readonly setTexts: (texts: NewTexts) => void;
  readonly keyFault: ReactNode | undefined;
  readonly nameFault: ReactNode | undefined;
  readonly descriptionFault?: ReactNode | undefined;
  /** False omits the description. */
  readonly hasDescription?: boolean;
}

/** Fields for key, name and description of a new object. */
function NewTextFields(props: NewTextFieldsProps): ReactNode {
  const { texts, setTexts, keyFault, nameFault, descriptionFault, hasDescription = true } = props;
  const say = useWords("structure");
  return (
    <>
      <TextInput
        label={say("key")}
        value={texts.key}
        error={keyFault}
        required
        withAsterisk={false}
        data-autofocus
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onChange={(event) => setTexts({ ...texts, key: event.currentTarget.value })}
      />
      <TextInput
        label={say("name")}
        value={texts.name}
        error={nameFault}
        onChange={(event) => setTexts({ ...texts, name: event.currentTarget.value })}
      />
      {hasDescription && (
        <Textarea
          label={say("description")}
          value={texts.description}
          error={descriptionFault}
          autosize
          minRows={2}
          maxRows={12}
          onChange={(event) => setTexts({ ...texts, description: event.currentTarget.value })}
        />
      )}
    </>
  );
}
