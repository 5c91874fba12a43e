import { Button, Table } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useMay } from "../../api/rights.ts";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";
import { CreateRole } from "./create-role.tsx";
import type { RelationshipProps } from "./relationship-props.ts";
import { RoleRow } from "./role-row.tsx";

/** The roles of a relationship, each with its entity and its cardinality. */
export function Roles({ relationship, etag, input }: RelationshipProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const [creating, setCreating] = useState(false);
  const { roles } = relationship;
  const hasPairs = (relationship.keyPairs ?? []).length > 0;
  return (
    <Section
      title={say("roles")}
      count={roles.length}
      actions={
        may("model/relationship_role_create") && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            {say("addRole")}
          </Button>
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
      {creating && <CreateRole input={input} hasPairs={hasPairs} close={() => setCreating(false)} />}
    </Section>
  );
}
