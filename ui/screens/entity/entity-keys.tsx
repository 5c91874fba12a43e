import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Attribute } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useValueSaver } from "../../api/value-edit.ts";
import { OrderedAttributes } from "../../parts/attributes/ordered-attributes.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import { BusinessKey } from "./business-key.tsx";
import { CreateBusinessKey } from "./create-business-key.tsx";
import type { EntityProps } from "./entity-props.ts";

interface EntityKeysProps extends EntityProps {
  readonly attributes: readonly Attribute[];
}

/** The primary key and the business keys of an entity. */
export function EntityKeys({ entity, input, attributes }: EntityKeysProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const [creating, setCreating] = useState(false);
  const savePrimaryKey = useValueSaver("model/entity_get", input, "model/entity_primary_key_update");
  const keys = useRead("model/business_key_list", { modelRef: input.modelRef });
  return (
    <>
      <Section title={say("primaryKey")}>
        <OrderedAttributes
          label={say("primaryKey")}
          refs={entity.primaryKey}
          attributes={attributes}
          empty={say("primaryKeyAbsent")}
          save={
            may("model/entity_primary_key_update")
              ? (refs, base) =>
                  savePrimaryKey<readonly string[]>(
                    {
                      pick: (body) => body.primaryKey,
                      put: (body, primaryKey) => ({ ...body, primaryKey: [...primaryKey] }),
                      written: (next) => ({ ...input, attributeRef: next.map(refOf) }),
                    },
                    refs,
                    base,
                  )
              : undefined
          }
        />
      </Section>
      <Loaded read={keys} skeleton={<TableSkeleton rows={3} />}>
        {({ items }, { etag }) => {
          const own = items.filter(({ entity: of }) => of === `id:${entity.id}`);
          return (
            <Section
              title={say("businessKeys")}
              count={own.length}
              actions={
                may("model/business_key_create") && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={<IconPlus size={14} aria-hidden />}
                    onClick={() => setCreating(true)}
                  >
                    {say("addBusinessKey")}
                  </Button>
                )
              }
            >
              {own.length === 0 && <EmptyState title={say("noBusinessKeys")} text={say("businessKeysAbsent")} />}
              {own.map((businessKey) => (
                <BusinessKey
                  key={businessKey.id}
                  businessKey={businessKey}
                  etag={etag}
                  modelRef={input.modelRef}
                  attributes={attributes}
                />
              ))}
            </Section>
          );
        }}
      </Loaded>
      {creating && <CreateBusinessKey input={input} close={() => setCreating(false)} />}
    </>
  );
}
