import { Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useWords } from "../words/words.ts";
import { CreateDialog, type FaultOf } from "./create-dialog.tsx";

interface CreateNamedProps {
  readonly title: string;
  /** The parameter that takes the key. */
  readonly keyParameter: string;
  /** Creates it under a key, with those of the other texts that are not empty. */
  readonly create: (key: string, texts: ReturnType<typeof givenTexts>) => Promise<void>;
  readonly close: () => void;
  /** False leaves the description out. */
  readonly hasDescription?: boolean;
  /** Draws what is asked before the texts, and what is asked after them. */
  readonly before?: (faultOf: FaultOf) => ReactNode;
  readonly after?: (faultOf: FaultOf) => ReactNode;
}

/** The dialog that creates an object with a key, a name and a description. */
export function CreateNamed(props: CreateNamedProps): ReactNode {
  const { title, keyParameter, create, close, hasDescription = true, before, after } = props;
  const [texts, setTexts] = useState(NO_TEXTS);
  return (
    <CreateDialog
      title={title}
      keyParameter={keyParameter}
      close={close}
      create={() => create(texts.key, givenTexts(texts))}
      fields={(faultOf) => (
        <>
          {before?.(faultOf)}
          <NewTextFields
            texts={texts}
            setTexts={setTexts}
            keyFault={faultOf(keyParameter)}
            nameFault={faultOf("name")}
            descriptionFault={hasDescription && faultOf("description")}
            hasDescription={hasDescription}
          />
          {after?.(faultOf)}
        </>
      )}
    />
  );
}

/** Key, name and description of an object that is created. */
interface NewTexts {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

const NO_TEXTS: NewTexts = { key: "", name: "", description: "" };

/** The texts of a new object that are not empty, as actions take them. */
const givenTexts = ({ name, description }: NewTexts) => ({
  ...(name.trim() !== "" && { name }),
  ...(description.trim() !== "" && { description }),
});

interface NewTextFieldsProps {
  readonly texts: NewTexts;
  readonly setTexts: (texts: NewTexts) => void;
  readonly keyFault: ReactNode | undefined;
  readonly nameFault: ReactNode | undefined;
  readonly descriptionFault?: ReactNode | undefined;
  /** False leaves the description out. */
  readonly hasDescription?: boolean;
}

/** The fields of key, name and description of a new object. */
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
