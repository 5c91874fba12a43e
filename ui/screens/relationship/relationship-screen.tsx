import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useKeyEdit } from "../../api/key-edit.ts";
import { usePropertyEdit } from "../../api/property-edit.ts";
import { useRead } from "../../api/reads.ts";
import { keyRef, refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useMemberEdit } from "../../api/text-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { AttributesGrid } from "../../parts/attributes/attributes-grid.tsx";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { lazilyLoaded } from "../../parts/lazily-loaded.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { Split } from "../../parts/panel.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { About } from "../../parts/structure/about.tsx";
import { Count } from "../../parts/structure/count.tsx";
import { useModelCrumbs } from "../../parts/structure/model-crumbs.tsx";
import { ObjectHeader } from "../../parts/structure/object-header.tsx";
import { TagPicker } from "../../parts/tag-picker.tsx";
import { useWords } from "../../words/words.ts";
import { KeyPairs } from "./key-pairs.tsx";
import { type RelationshipProps, readInput } from "./relationship-props.ts";
import { Roles } from "./roles.tsx";

const AttributePanel = lazilyLoaded(
  async () => (await import("../../parts/attributes/attribute-panel.tsx")).AttributePanel,
);

const relationshipRoute = getRouteApi("/shell/models/$modelRef/relationships/$relationshipRef");

/** One relationship: its roles with their entities and cardinalities, key pairs, attributes, tags and properties. */
export function RelationshipScreen(): ReactNode {
  const params = relationshipRoute.useParams();
  const input = { modelRef: refOf(params.modelRef), relationshipRef: refOf(params.relationshipRef) };
  const read = useRead("model/relationship_get", readInput(input));
  return (
    <Loaded read={read} past={<PastLink modelRef={input.modelRef} objectRef={input.relationshipRef} />}>
      {(relationship, { etag }) => (
        <Relationship key={relationship.id} relationship={relationship} etag={etag} input={input} />
      )}
    </Loaded>
  );
}

function Relationship({ relationship, etag, input }: RelationshipProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const { tab = "roles", attribute: openKey, ...view } = relationshipRoute.useSearch();
  const navigate = relationshipRoute.useNavigate();
  const crumbs = useModelCrumbs(input.modelRef, "relationships");
  const [deleting, setDeleting] = useState(false);
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "relationship", modelRef: input.modelRef, ownerRef: input.relationshipRef }),
    [input.modelRef, input.relationshipRef],
  );
  const attributes = useAttributes(owner);
  const list = attributes.data?.body.items;
  const opened = tab === "attributes" ? list?.find(({ key }) => key === openKey) : undefined;
  const open = (key: string | undefined): Promise<void> =>
    navigate({
      search: (before) => ({ ...before, attribute: key }),
      replace: key !== undefined && openKey !== undefined,
    });
  const object = { read: "model/relationship_get", input: readInput(input), refs: input } as const;
  const name = useMemberEdit(object, "name", "model/relationship_update_name");
  const description = useMemberEdit(object, "description", "model/relationship_update_description");
  const objectKey = useKeyEdit({
    value: relationship.key,
    ifMatch: etag,
    write: "model/relationship_update_key",
    written: (value) => ({ ...input, value }),
    moved: (key) =>
      navigate({ params: (before) => ({ ...before, relationshipRef: keyRef(key) }), search: true, replace: true }),
  });
  const addTag = useWrite("model/relationship_add_tag");
  const deleteTag = useWrite("model/relationship_delete_tag");
  const propertyEdit = usePropertyEdit(
    object,
    "model/relationship_update_property",
    "model/relationship_delete_property",
  );
  const choose = (next: string | null): void =>
    void navigate({ search: next === "attributes" || next === "properties" ? { tab: next } : {} });
  return (
    <Split
      panel={
        opened && (
          <AttributePanel
            key={opened.id}
            owner={owner}
            attributes={list ?? []}
            etag={attributes.data?.etag}
            attribute={opened}
            open={open}
          />
        )
      }
    >
      <ObjectHeader
        noun={say("relationship")}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        mayName={may("model/relationship_update_name")}
        mayKey={may("model/relationship_update_key")}
        remove={may("model/relationship_delete") ? () => setDeleting(true) : undefined}
      />
      <PageBody>
        <About
          description={
            <EditableText
              label={say("descriptionText")}
              kind="markdown"
              edit={description}
              mayEdit={may("model/relationship_update_description")}
            />
          }
          tags={
            <TagPicker
              modelRef={input.modelRef}
              tags={relationship.tags}
              mayEdit={may("model/relationship_add_tag")}
              add={(tagRef) => addTag.mutateAsync({ input: { ...input, tagRef } })}
              remove={(tagRef) => deleteTag.mutateAsync({ input: { ...input, tagRef } })}
            />
          }
        />
        <Tabs value={tab} keepMounted={false} onChange={choose}>
          <Tabs.List mb="md">
            <Tabs.Tab value="roles">
              {say("roles")} <Count>{relationship.roles.length}</Count>
            </Tabs.Tab>
            <Tabs.Tab value="attributes">
              {say("attributes")} {list && <Count>{list.length}</Count>}
            </Tabs.Tab>
            <Tabs.Tab value="properties">
              {say("properties")} <Count>{Object.keys(relationship.properties ?? {}).length}</Count>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="roles">
            <Roles relationship={relationship} input={input} etag={etag} />
            <KeyPairs relationship={relationship} input={input} etag={etag} />
          </Tabs.Panel>
          <Tabs.Panel value="attributes">
            <Loaded read={attributes} skeleton={<TableSkeleton />}>
              {({ items }, answer) => (
                <AttributesGrid
                  owner={owner}
                  attributes={items}
                  etag={answer.etag}
                  view={view}
                  setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
                  openKey={openKey}
                  open={open}
                />
              )}
            </Loaded>
          </Tabs.Panel>
          <Tabs.Panel value="properties">
            <PropertiesSection properties={relationship.properties} edit={propertyEdit} />
          </Tabs.Panel>
        </Tabs>
      </PageBody>
      {deleting && (
        <ConfirmDelete
          action="model/relationship_delete"
          input={input}
          ifMatch={etag}
          what={say("theRelationship", { key: relationship.key })}
          close={() => setDeleting(false)}
          done={() =>
            navigate({
              to: "/models/$modelRef",
              params: { modelRef: input.modelRef },
              search: { show: "relationships" },
            })
          }
        />
      )}
    </Split>
  );
}
