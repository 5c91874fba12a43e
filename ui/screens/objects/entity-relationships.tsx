import { Table } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton, TextLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import type { Cardinality } from "../../parts/structure/role-fields.tsx";
import { KeyText, ObjectName } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import type { EntityProps } from "./object-props.ts";

/** Relationships of an entity. */
export function EntityRelationships({ entity, input }: EntityProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const read = useRead("model/relationship_list", { modelRef: input.modelRef, expand: "keys" });
  const add = may("model/relationship_create") && (
    <LinkButton
      to="/models/$modelRef"
      params={{ modelRef: input.modelRef }}
      search={{ show: "relationships", do: "create", of: toKeyRef(entity.key) }}
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {say("addRelationship")}
    </LinkButton>
  );
  return (
    <LoadedBody read={read} skeleton={<TableSkeleton rows={4} />}>
      {({ items }) => {
        const own = items.filter(({ roles }) => roles.some((role) => role.entity === `id:${entity.id}`));
        if (own.length === 0) {
          return <EmptyState title={say("noRelationshipsOf")} text={say("noRelationshipsOfText")} action={add} />;
        }
        return (
          <>
            <RelationshipTable relationships={own} modelRef={input.modelRef} entityId={entity.id} />
            <div style={{ marginTop: 12 }}>{add}</div>
          </>
        );
      }}
    </LoadedBody>
  );
}

type Relationship = OutputOf<"model/relationship_list">["items"][number];

interface RelationshipTableProps {
  readonly relationships: readonly Relationship[];
  readonly modelRef: RefText;
  readonly entityId: string;
}

function RelationshipTable({ relationships, modelRef, entityId }: RelationshipTableProps) {
  const say = useWords("structure");
  const body = relationships.map(({ key, name, roles }) => {
    // In a relationship of an entity with itself, the first role is its own.
    const own = roles.find(({ entity }) => entity === `id:${entityId}`);
    const others = roles.filter((role) => role !== own);
    return [
      <TextLink
        key="relationship"
        className="break"
        to="/models/$modelRef/relationships/$relationshipRef"
        params={{ modelRef, relationshipRef: toKeyRef(key) }}
      >
        <ObjectName name={name} objectKey={key} />
      </TextLink>,
      own && <RoleText key="own" role={own} />,
      others.map((role) => (
        <div key={role.id} className="break">
          <RoleText role={role} />{" "}
          <TextLink
            to="/models/$modelRef/entities/$entityRef"
            params={{ modelRef, entityRef: role.entityByKey ?? role.entity }}
          >
            <KeyText value={(role.entityByKey ?? "").replace(/^key:/, "")} most={32} />
          </TextLink>
        </div>
      )),
    ];
  });
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={8} data={{ head: [say("relationship"), say("roleHere"), say("otherRoles")], body }} />
    </Table.ScrollContainer>
  );
}

const SIGNS: Readonly<Record<Cardinality, string>> = { zeroOrOne: "0..1", one: "1", many: "0..n", unknown: "?" };

function RoleText({ role: { key, cardinality } }: { readonly role: Relationship["roles"][number] }) {
  const say = useWords("structure");
  return (
    <>
      <KeyText value={key} strong most={32} />{" "}
      <span className="mono small quiet" title={say(cardinality)} role="img" aria-label={say(cardinality)}>
        {SIGNS[cardinality]}
      </span>
    </>
  );
}
