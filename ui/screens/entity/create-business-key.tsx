import type { ReactNode } from "react";
import { useWrite } from "../../api/writes.ts";
import { CreateNamed } from "../../parts/create-named.tsx";
import { useWords } from "../../words/words.ts";
import type { EntityProps } from "./entity-props.ts";

interface CreateBusinessKeyProps extends Pick<EntityProps, "input"> {
  readonly close: () => void;
}

/** Creates a business key of an entity, whose participants are chosen afterwards. */
export function CreateBusinessKey({ input, close }: CreateBusinessKeyProps): ReactNode {
  const say = useWords("structure");
  const write = useWrite("model/business_key_create");
  return (
    <CreateNamed
      title={say("addBusinessKey")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { ...input, key, participants: [], ...texts } });
        close();
      }}
    />
  );
}
