import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { CreateDialog } from "../../parts/create-dialog.tsx";
import { type NewRole, RoleFields } from "../../parts/structure/role-fields.tsx";
import { useWords } from "../../words/words.ts";
import type { RelationshipInput } from "./relationship-props.ts";

interface CreateRoleProps {
  readonly input: RelationshipInput;
  readonly hasPairs: boolean;
  readonly close: () => void;
}

/** Adds a role to a relationship. */
export function CreateRole({ input, hasPairs, close }: CreateRoleProps): ReactNode {
  const say = useWords("structure");
  const [role, setRole] = useState<NewRole>({ key: "", entityRef: "", cardinality: "many" });
  const write = useWrite("model/relationship_role_create");
  return (
    <CreateDialog
      title={say("addRole")}
      keyParameter="roleKey"
      close={close}
      create={async () => {
        await write.mutateAsync({
          input: {
            ...input,
            roleKey: role.key,
            roleEntityRef: refOf(role.entityRef),
            roleCardinality: role.cardinality,
          },
        });
        close();
      }}
      fields={(faultOf) => (
        <>
          <RoleFields
            legend={say("role")}
            modelRef={input.modelRef}
            role={role}
            setRole={setRole}
            faults={{
              key: faultOf("roleKey"),
              entity: faultOf("roleEntityRef"),
              cardinality: faultOf("roleCardinality"),
            }}
          />
          {hasPairs && <Text c="dimmed">{say("keyPairsGo")}</Text>}
        </>
      )}
    />
  );
}
