import { type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { CreateDialog } from "../../parts/create-dialog.tsx";
import { givenTexts, NewTextFields, NO_TEXTS } from "../../parts/text-inputs.tsx";
import { useStructureWords } from "../../words/structure.ts";
import type { EntityProps } from "./entity-props.ts";

interface CreateBusinessKeyProps extends Pick<EntityProps, "input"> {
  readonly close: () => void;
}

/** Creates a business key of an entity, whose participants are chosen afterwards. */
export function CreateBusinessKey({ input, close }: CreateBusinessKeyProps): ReactNode {
  const say = useStructureWords();
  const [texts, setTexts] = useState(NO_TEXTS);
  const write = useWrite("model/business_key_create");
  return (
    <CreateDialog
      title={say("addBusinessKey")}
      keyParameter="key"
      close={close}
      create={async () => {
        await write.mutateAsync({ input: { ...input, key: texts.key, participants: [], ...givenTexts(texts) } });
        close();
      }}
      fields={(faultOf) => (
        <NewTextFields
          texts={texts}
          setTexts={setTexts}
          keyFault={faultOf("key")}
          nameFault={faultOf("name")}
          descriptionFault={faultOf("description")}
        />
      )}
    />
  );
}
