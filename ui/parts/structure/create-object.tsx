import { type ReactNode, useState } from "react";
import { type RefText, refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useStructureWords } from "../../words/structure.ts";
import { CreateNamed } from "../create-named.tsx";
import { type NewRole, RoleFields } from "./role-fields.tsx";

interface CreateObjectProps {
  readonly modelRef: RefText;
  readonly close: () => void;
  /** Told the key of what was created. */
  readonly created: (key: string) => void;
}

/** Creates an entity. */
export function CreateEntity({ modelRef, close, created }: CreateObjectProps): ReactNode {
  const say = useStructureWords();
  const write = useWrite("model/entity_create");
  return (
    <CreateNamed
      title={say("addEntity")}
      keyParameter="entityKey"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { modelRef, entityKey: key, ...texts } });
        created(key);
      }}
    />
  );
}

/** Creates a type. */
export function CreateType({ modelRef, close, created }: CreateObjectProps): ReactNode {
  const say = useStructureWords();
  const write = useWrite("model/type_create");
  return (
    <CreateNamed
      title={say("addType")}
      keyParameter="typeKey"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { modelRef, typeKey: key, ...texts } });
        created(key);
      }}
    />
  );
}

interface CreateRelationshipProps extends CreateObjectProps {
  /** The entity in the first role, where it is known. */
  readonly entityRef?: string | undefined;
}

/** Creates a relationship between the entities of two roles. */
export function CreateRelationship({ modelRef, close, created, entityRef = "" }: CreateRelationshipProps): ReactNode {
  const say = useStructureWords();
  const [a, setA] = useState<NewRole>({ key: entityRef.replace(/^key:/, ""), entityRef, cardinality: "one" });
  const [b, setB] = useState<NewRole>({ key: "", entityRef: "", cardinality: "many" });
  const write = useWrite("model/relationship_create");
  return (
    <CreateNamed
      title={say("addRelationship")}
      keyParameter="relationshipKey"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({
          input: {
            modelRef,
            relationshipKey: key,
            ...texts,
            roleAKey: a.key,
            roleAEntityRef: refOf(a.entityRef),
            roleACardinality: a.cardinality,
            roleBKey: b.key,
            roleBEntityRef: refOf(b.entityRef),
            roleBCardinality: b.cardinality,
          },
        });
        created(key);
      }}
      hasDescription={false}
      after={(faultOf) => (
        <>
          <RoleFields
            legend={say("roleA")}
            modelRef={modelRef}
            role={a}
            setRole={setA}
            faults={{
              key: faultOf("roleAKey"),
              entity: faultOf("roleAEntityRef"),
              cardinality: faultOf("roleACardinality"),
            }}
          />
          <RoleFields
            legend={say("roleB")}
            modelRef={modelRef}
            role={b}
            setRole={setB}
            faults={{
              key: faultOf("roleBKey"),
              entity: faultOf("roleBEntityRef"),
              cardinality: faultOf("roleBCardinality"),
            }}
          />
        </>
      )}
    />
  );
}
