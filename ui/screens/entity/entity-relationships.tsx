import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { RelationshipTable } from "../../parts/structure/relationship-table.tsx";
import { useStructureWords } from "../../words/structure.ts";
import type { EntityProps } from "./entity-props.ts";

/** The relationships that have a role for an entity. */
export function EntityRelationships({ entity, input }: EntityProps): ReactNode {
  const say = useStructureWords();
  const may = useMay();
  const read = useRead("model/relationship_list", { modelRef: input.modelRef, expand: "keys" });
  const add = may("model/relationship_create") && (
    <LinkButton
      to="/models/$modelRef"
      params={{ modelRef: input.modelRef }}
      search={{ show: "relationships", do: "create", of: keyRef(entity.key) }}
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {say("addRelationship")}
    </LinkButton>
  );
  return (
    <Loaded read={read} skeleton={<TableSkeleton rows={4} />}>
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
    </Loaded>
  );
}
