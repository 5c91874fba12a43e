import { type ReactNode, useState } from "react";
import { CreateDialog, type FaultOf } from "./create-dialog.tsx";
import { givenTexts, NewTextFields, NO_TEXTS } from "./text-inputs.tsx";

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
