import { Table, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { CreateDialog } from "../../parts/dialogs/create-dialog.tsx";
import { AddButton } from "../../parts/icon-button.tsx";
import { Section } from "../../parts/page.tsx";
import { type NewRole, RoleFields } from "../../parts/structure/role-fields.tsx";
import { useWords } from "../../words/words.ts";
import { KeyPairs } from "./key-pairs.tsx";
import { ObjectPage } from "./object-page.tsx";
import { type RelationshipInput, type RelationshipProps, toReadInput } from "./object-props.ts";
import { RoleRow } from "./role-row.tsx";

/** Page of a relationship: roles, key pairs, attributes, tags and properties. */
export function RelationshipScreen(): ReactNode {
  const { modelRef = "", relationshipRef = "" } = useParams({ strict: false });
  const refs = { modelRef: toRef(modelRef), relationshipRef: toRef(relationshipRef) };
  const input = toReadInput(refs);
  const read = useRead("model/relationship_get", input);
  return (
    <ObjectPage kind="relationship" modelRef={refs.modelRef} objectRef={refs.relationshipRef} input={input} read={read}>
      {(relationship, _, etag) => ({
        roles: (
          <>
            <RoleTable relationship={relationship} input={refs} etag={etag} />
            <KeyPairs relationship={relationship} input={refs} />
          </>
        ),
      })}
    </ObjectPage>
  );
}

function RoleTable({ relationship, etag, input }: RelationshipProps) {
  const say = useWords("structure");
  const may = useMay();
  const [isCreating, setIsCreating] = useState(false);
  const { roles } = relationship;
  const hasPairs = (relationship.keyPairs ?? []).length > 0;
  return (
    <Section
      title={say("roles")}
      count={roles.length}
      actions={
        may("model/relationship_role_create") && (
          <AddButton isSmall label={say("addRole")} run={() => setIsCreating(true)} />
        )
      }
    >
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing={6} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say("role")}</Table.Th>
              <Table.Th>{say("name")}</Table.Th>
              <Table.Th>{say("entity")}</Table.Th>
              <Table.Th w={190}>{say("cardinality")}</Table.Th>
              {may("model/relationship_role_delete") && <Table.Td w={48} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {roles.map((role) => (
              <RoleRow key={role.id} role={role} input={input} etag={etag} hasPairs={hasPairs} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isCreating && <CreateRole input={input} hasPairs={hasPairs} close={() => setIsCreating(false)} />}
    </Section>
  );
}

interface CreateRoleProps {
  readonly input: RelationshipInput;
  readonly hasPairs: boolean;
  readonly close: () => void;
}

function CreateRole({ input, hasPairs, close }: CreateRoleProps) {
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
            roleEntityRef: toRef(role.entityRef),
            roleCardinality: role.cardinality,
          },
        });
        close();
      }}
      renderFields={(faultOf) => (
        <>
          <RoleFields
            legend={say("role")}
            modelRef={input.modelRef}
            role={role}
            setRole={setRole}
            findFault={(part) => faultOf(`role${part}`)}
          />
          {hasPairs && <Text c="dimmed">{say("keyPairsGo")}</Text>}
        </>
      )}
    />
  );
}
