import { Tabs } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useKeyEdit, useMemberEdit, usePropertyEdit } from "../../api/edits.ts";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import type { useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { AttributesGrid } from "../../parts/attributes/attributes-grid.tsx";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import type { GridView } from "../../parts/grid/grid-view.ts";
import { loadLazily } from "../../parts/lazily-loaded.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Count, PageBody, Split } from "../../parts/page.tsx";
import { TagPicker } from "../../parts/pickers/tag-picker.tsx";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { About, LinkText, ObjectHeader, useModelCrumbs } from "../../parts/structure/object-parts.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { useWords } from "../../words/words.ts";

const AttributePanel = loadLazily(
  async () => (await import("../../parts/attributes/attribute-panel.tsx")).AttributePanel,
);

/** Kinds of objects that share this page. */
type ObjectKind = "entity" | "relationship" | "type";

/** By kind: texts, list of the model, and edited members. */
const KINDS = {
  entity: { noun: "entity", named: "theEntity", list: "entities", hasTags: true, hasLink: true },
  relationship: {
    noun: "relationship",
    named: "theRelationship",
    list: "relationships",
    hasTags: true,
    hasLink: false,
  },
  type: { noun: "type", named: "theType", list: "types", hasTags: false, hasLink: false },
} as const;

const ENTITY_ACTIONS = {
  get: "model/entity_get",
  updateKey: "model/entity_update_key",
  updateName: "model/entity_update_name",
  updateDescription: "model/entity_update_description",
  updateLink: "model/entity_update_documentation_link",
  addTag: "model/entity_add_tag",
  deleteTag: "model/entity_delete_tag",
  updateProperty: "model/entity_update_property",
  deleteProperty: "model/entity_delete_property",
  delete: "model/entity_delete",
} as const;

/** Returns the actions on a kind. All kinds name and type them alike, so the types are those of entities. */
function getActions(kind: ObjectKind): typeof ENTITY_ACTIONS {
  const names = Object.entries(ENTITY_ACTIONS).map(([use, name]) => [use, name.replace("entity", kind)]);
  return Object.fromEntries(names) as typeof ENTITY_ACTIONS;
}

interface ObjectPageProps {
  readonly kind: ObjectKind;
  readonly modelRef: RefText;
  readonly objectRef: RefText;
  readonly object: Pick<OutputOf<"model/entity_get">, "id" | "key" | "properties"> & {
    readonly tags?: OutputOf<"model/entity_get">["tags"];
  };
  readonly etag: string | undefined;
  /** The parameters of the read that differ from the refs. */
  readonly readParameters?: object;
  /** Goes to the page of the object under its new key. */
  readonly openNewKey: (key: string) => Promise<void>;
  /** Leaves the page of the deleted object. */
  readonly onDeleted: () => Promise<void>;
  readonly panel?: ReactNode;
  /** Renders the content below the description; `properties` is the section of the properties. */
  readonly children: (properties: ReactNode) => ReactNode;
}

/** The page of an object: key, name, description, tags and documentation are edited in place, the object is deleted. */
export function ObjectPage(props: ObjectPageProps): ReactNode {
  const { kind, modelRef, objectRef, object, etag, readParameters, openNewKey, onDeleted, panel, children } = props;
  const { noun, named, list, hasTags, hasLink } = KINDS[kind];
  const say = useWords("structure");
  const may = useMay();
  const actions = getActions(kind);
  const refs = { modelRef, [`${kind}Ref`]: objectRef } as { readonly modelRef: RefText; readonly entityRef: RefText };
  const read = { read: actions.get, input: { ...refs, ...readParameters }, refs };
  const crumbs = useModelCrumbs(modelRef, list);
  const [deleting, setDeleting] = useState(false);
  const name = useMemberEdit(read, "name", actions.updateName);
  const description = useMemberEdit(read, "description", actions.updateDescription);
  const link = useMemberEdit(read, "documentationHome", actions.updateLink);
  const addTag = useWrite(actions.addTag);
  const deleteTag = useWrite(actions.deleteTag);
  const propertyEdit = usePropertyEdit(read, actions.updateProperty, actions.deleteProperty);
  const objectKey = useKeyEdit({
    value: object.key,
    ifMatch: etag,
    write: actions.updateKey,
    toInput: (value) => ({ ...refs, value }),
    openNewKey,
  });
  return (
    <Split panel={panel}>
      <ObjectHeader
        noun={say(noun)}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        mayName={may(actions.updateName)}
        mayKey={may(actions.updateKey)}
        remove={may(actions.delete) ? () => setDeleting(true) : undefined}
      />
      <PageBody>
        <About
          description={
            <EditableText
              label={say("descriptionText")}
              kind="markdown"
              edit={description}
              mayEdit={may(actions.updateDescription)}
            />
          }
          tags={
            hasTags && (
              <TagPicker
                modelRef={modelRef}
                tags={object.tags ?? []}
                mayEdit={may(actions.addTag)}
                add={(tagRef) => addTag.mutateAsync({ input: { ...refs, tagRef } })}
                remove={(tagRef) => deleteTag.mutateAsync({ input: { ...refs, tagRef } })}
              />
            )
          }
          link={
            hasLink &&
            (link.value !== "" || may(actions.updateLink)) && <LinkText edit={link} mayEdit={may(actions.updateLink)} />
          }
        />
        {children(<PropertiesSection properties={object.properties} edit={propertyEdit} />)}
      </PageBody>
      {deleting && (
        <ConfirmDelete
          action={actions.delete}
          input={refs}
          ifMatch={etag}
          what={say(named, { key: object.key })}
          close={() => setDeleting(false)}
          onDone={onDeleted}
        />
      )}
    </Split>
  );
}

/** A tab of the page of an object. */
interface ObjectTab<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly count?: number | undefined;
  readonly content: ReactNode;
}

interface ObjectTabsProps<V extends string> {
  readonly value: V;
  readonly choose: (value: V) => void;
  readonly tabs: readonly ObjectTab<V>[];
}

/** The tabs of the page of an object; only the chosen one is drawn. */
export function ObjectTabs<V extends string>({ value, choose, tabs }: ObjectTabsProps<V>): ReactNode {
  return (
    <Tabs value={value} keepMounted={false} onChange={(next) => choose(next as V)}>
      <Tabs.List mb="md">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.label} {tab.count !== undefined && <Count>{tab.count}</Count>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.value} value={tab.value}>
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface AttributesProps {
  readonly owner: AttributeOwner;
  readonly attributes: ReturnType<typeof useAttributes>;
  /** The key of the attribute whose panel is open. */
  readonly openKey: string | undefined;
  readonly open: (key: string | undefined) => Promise<void>;
}

interface AttributesTabProps extends AttributesProps {
  readonly primaryKey?: ReadonlySet<string>;
  readonly view: GridView;
  readonly setView: (view: GridView) => void;
}

/** The table of the attributes of an owner. */
export function AttributesTab({ attributes, ...grid }: AttributesTabProps): ReactNode {
  return (
    <Loaded read={attributes} skeleton={<TableSkeleton />}>
      {({ items }, { etag }) => <AttributesGrid attributes={items} etag={etag} {...grid} />}
    </Loaded>
  );
}

/** The panel of the open attribute next to the table; nothing while none is open. */
export function OpenAttribute({ owner, attributes, openKey, open }: AttributesProps): ReactNode {
  const list = attributes.data?.body.items ?? [];
  const attribute = list.find(({ key }) => key === openKey);
  if (!attribute) return null;
  return (
    <AttributePanel
      key={attribute.id}
      owner={owner}
      attributes={list}
      etag={attributes.data?.etag}
      attribute={attribute}
      open={open}
    />
  );
}
