import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { keyRef, type RefText } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useStructureWords } from "../../words/structure.ts";
import { KeyText, Named } from "../key-text.tsx";
import { TextLink } from "../links.tsx";
import { CardinalitySign } from "./cardinality-sign.tsx";

type Relationship = OutputOf<"model/relationship_list">["items"][number];

interface RelationshipTableProps {
  readonly relationships: readonly Relationship[];
  readonly modelRef: RefText;
  /** The entity whose relationships they are; its own role stands apart. */
  readonly entityId: string;
}

/** The relationships of one entity: its own role, and those of the others. */
export function RelationshipTable({ relationships, modelRef, entityId }: RelationshipTableProps): ReactNode {
  const say = useStructureWords();
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say("relationship")}</Table.Th>
            <Table.Th>{say("roleHere")}</Table.Th>
            <Table.Th>{say("otherRoles")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {relationships.map(({ id, key, name, roles }) => {
            // In a relationship of an entity with itself its first role is its own, and the second the other one.
            const own = roles.find(({ entity }) => entity === `id:${entityId}`);
            return (
              <Table.Tr key={id}>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  <TextLink
                    to="/models/$modelRef/relationships/$relationshipRef"
                    params={{ modelRef, relationshipRef: keyRef(key) }}
                  >
                    <Named name={name} objectKey={key} />
                  </TextLink>
                </Table.Td>
                <Table.Td>
                  {own && (
                    <>
                      <KeyText value={own.key} strong most={32} /> <CardinalitySign cardinality={own.cardinality} />
                    </>
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  {roles
                    .filter((role) => role !== own)
                    .map((role) => (
                      <div key={role.id}>
                        <KeyText value={role.key} strong most={32} /> <CardinalitySign cardinality={role.cardinality} />{" "}
                        <TextLink
                          to="/models/$modelRef/entities/$entityRef"
                          params={{ modelRef, entityRef: role.entityByKey ?? role.entity }}
                        >
                          <KeyText value={(role.entityByKey ?? "").replace(/^key:/, "")} most={32} />
                        </TextLink>
                      </div>
                    ))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
