import { Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useStructureWords } from "../words/structure.ts";

/** Key, name and description of an object that is created. */
export interface NewTexts {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

export const NO_TEXTS: NewTexts = { key: "", name: "", description: "" };

/** The texts of a new object that are not empty, as actions take them. */
export const givenTexts = ({ name, description }: NewTexts) => ({
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
export function NewTextFields(props: NewTextFieldsProps): ReactNode {
  const { texts, setTexts, keyFault, nameFault, descriptionFault, hasDescription = true } = props;
  const say = useStructureWords();
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
