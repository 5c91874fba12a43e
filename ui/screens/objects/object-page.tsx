import { Button, Tabs } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, type ReactNode, useMemo } from "react";
import { type Attribute, type AttributeOwner, getAttributeActions } from "../../api/attributes.ts";
import { useKeyEdit, useMemberEdit, usePropertyEdit } from "../../api/edits.ts";
import { type Read, useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { getObjectActions, type OutputOf } from "../../api/service.ts";
import { getListInput, useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { AttributePanel } from "../../parts/attributes/attribute-panel.tsx";
import { AttributesGrid } from "../../parts/attributes/attributes-grid.tsx";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { PastLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Count, PageBody, SplitView } from "../../parts/page.tsx";
import { TagPicker } from "../../parts/pickers/tag-picker.tsx";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { About, LinkText, ObjectHeader, useModelCrumbs } from "../../parts/structure/object-parts.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { useWords } from "../../words/words.ts";

/** By kind: list of the model, noun with the key, edited members, and tabs; all contents without tabs. */
const KINDS = {
  entity: {
    list: "entities",
    word: "theEntity",
    hasTags: true,
    hasLink: true,
    tabs: ["attributes", "keys", "relationships", "properties"],
  },
  relationship: {
    list: "relationships",
    word: "theRelationship",
    hasTags: true,
    hasLink: false,
    tabs: ["roles", "attributes", "properties"],
  },
  type: { list: "types", word: "theType", hasTags: false, hasLink: false, tabs: [] },
} as const;

type ObjectKind = keyof typeof KINDS;
type Tab = (typeof KINDS)[ObjectKind]["tabs"][number];

type PageObject = Pick<OutputOf<"model/entity_get">, "id" | "key" | "properties"> &
  Partial<Pick<OutputOf<"model/entity_get">, "tags" | "primaryKey">> & { readonly roles?: readonly unknown[] };

interface ObjectPageProps<O extends PageObject> {
  readonly kind: ObjectKind;
  readonly modelRef: RefText;
  readonly objectRef: RefText;
  readonly input: object;
  readonly read: Read<O>;
  /** Renders the contents of the tabs that only this kind has. */
  readonly children: (
    object: O,
    attributes: readonly Attribute[],
    etag: string | undefined,
  ) => Readonly<Record<string, ReactNode>>;
}

/** Page of an object, edited in place, with its attributes in a table. */
export function ObjectPage<O extends PageObject>(props: ObjectPageProps<O>): ReactNode {
  const { read, modelRef, objectRef } = props;
  return (
    <LoadedBody read={read} past={<PastLink modelRef={modelRef} objectRef={objectRef} />}>
      {(object, { etag }) => <Page key={object.id} {...props} object={object} etag={etag} />}
    </LoadedBody>
  );
}

interface PageProps<O extends PageObject> extends ObjectPageProps<O> {
  readonly object: O;
  readonly etag: string | undefined;
}

function getObjectRead({ kind, modelRef, objectRef, input }: Omit<ObjectPageProps<PageObject>, "read" | "children">) {
  // All kinds name and type their actions alike, so the types are those of entities.
  const actions = getObjectActions(`model/${kind}` as "model/entity");
  const refs = { modelRef, [`${kind}Ref`]: objectRef } as { readonly modelRef: RefText; readonly entityRef: RefText };
  return { actions, refs, read: { read: actions.get, input: { ...refs, ...input }, refs } };
}

function Page<O extends PageObject>(props: PageProps<O>) {
  const { kind, modelRef, objectRef, object, etag } = props;
  const { list, word } = KINDS[kind];
  const say = useWords("structure");
  const may = useMay();
  const navigate = useNavigate();
  const { actions, refs, read } = getObjectRead(props);
  const crumbs = useModelCrumbs(modelRef, list);
  const name = useMemberEdit(read, "name", actions.updateName);
  const objectKey = useKeyEdit({
    value: object.key,
    ifMatch: etag,
    write: actions.updateKey,
    toInput: (value) => ({ ...refs, value }),
    openNewKey: (key) =>
      navigate({
        to: ".",
        params: (before) => ({ ...before, [`${kind}Ref`]: toKeyRef(key) }),
        search: true,
        replace: true,
      }),
  });
  const owner = useMemo<AttributeOwner | undefined>(
    () => (kind === "type" ? undefined : { kind, modelRef, ownerRef: objectRef }),
    [kind, modelRef, objectRef],
  );
  return (
    <SplitView panel={owner && <OpenAttribute kind={kind} owner={owner} />}>
      <ObjectHeader
        noun={say(kind)}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        actions={
          may(actions.delete) && (
            <DeleteButton
              action={actions.delete}
              input={refs}
              ifMatch={etag}
              what={say(word, { key: object.key })}
              onDone={() =>
                navigate({
                  to: "/models/$modelRef",
                  params: { modelRef },
                  search: kind === "entity" ? {} : { show: list },
                })
              }
              renderButton={(ask) => (
                <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
                  {say("delete")}
                </Button>
              )}
            />
          )
        }
      />
      <PageBody>
        <ObjectAbout {...props} />
        <ObjectContents {...props} owner={owner} />
      </PageBody>
    </SplitView>
  );
}

function ObjectAbout<O extends PageObject>(props: PageProps<O>) {
  const { kind, modelRef, object } = props;
  const { hasTags, hasLink } = KINDS[kind];
  const say = useWords("structure");
  const { actions, refs, read } = getObjectRead(props);
  const description = useMemberEdit(read, "description", actions.updateDescription);
  const link = useMemberEdit(read, "documentationHome", actions.updateLink);
  return (
    <About
      description={<EditableText label={say("descriptionText")} kind="markdown" edit={description} />}
      tags={hasTags && <TagPicker modelRef={modelRef} tags={object.tags ?? []} actions={actions} refs={refs} />}
      link={hasLink && (link.value !== "" || link.mayEdit) && <LinkText edit={link} />}
    />
  );
}

function useOpenAttribute() {
  const { search, change } = useQueryParameters();
  const openKey = search.attribute;
  const open = (key: string | undefined): Promise<void> =>
    change({ attribute: key }, { replace: key !== undefined && openKey !== undefined });
  return { tab: search.tab, openKey, open };
}

interface OpenAttributeProps {
  readonly kind: ObjectKind;
  readonly owner: AttributeOwner;
}

function OpenAttribute({ kind, owner }: OpenAttributeProps) {
  const { tab = KINDS[kind].tabs[0], openKey, open } = useOpenAttribute();
  const { data } = useAttributes(owner);
  const attribute = data?.body.items.find(({ key }) => key === openKey);
  if (tab !== "attributes" || !data || !attribute) return null;
  return (
    <AttributePanel
      key={attribute.id}
      owner={owner}
      attributes={data.body.items}
      etag={data.etag}
      attribute={attribute}
      open={open}
    />
  );
}

interface ObjectContentsProps<O extends PageObject> extends PageProps<O> {
  /** The object as the owner of attributes; undefined for a type. */
  readonly owner: AttributeOwner | undefined;
}

function ObjectContents<O extends PageObject>(props: ObjectContentsProps<O>) {
  const { kind, object, etag, owner } = props;
  const { tabs } = KINDS[kind];
  const say = useWords("structure");
  const navigate = useNavigate();
  const { actions, read } = getObjectRead(props);
  const propertyEdit = usePropertyEdit(read, actions.updateProperty, actions.deleteProperty);
  const { tab = tabs[0], openKey, open } = useOpenAttribute();
  const attributes = useRead(
    owner ? getAttributeActions(owner).list : "model/entity_attribute_list",
    owner && getListInput(owner),
  );
  const primaryKey = useMemo(
    () => new Set((object.primaryKey ?? []).map((ref) => ref.replace(/^id:/, ""))),
    [object.primaryKey],
  );
  const contents: Readonly<Record<string, ReactNode>> = {
    ...props.children(object, attributes.data?.body.items ?? [], etag),
    ...(owner && {
      attributes: (
        <LoadedBody read={attributes} skeleton={<TableSkeleton />}>
          {({ items }, answer) => (
            <AttributesGrid
              owner={owner}
              attributes={items}
              etag={answer.etag}
              primaryKey={primaryKey}
              openKey={openKey}
              open={open}
            />
          )}
        </LoadedBody>
      ),
    }),
    properties: <PropertiesSection properties={object.properties} edit={propertyEdit} />,
  };
  if (tab === undefined)
    return Object.entries(contents).map(([id, content]) => <Fragment key={id}>{content}</Fragment>);
  const counts: Partial<Record<Tab, number | undefined>> = {
    attributes: attributes.data?.body.items.length,
    roles: object.roles?.length,
    properties: Object.keys(object.properties ?? {}).length,
  };
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(next) =>
        void navigate({ to: ".", search: next === tabs[0] ? {} : ({ tab: next } as { readonly tab: "keys" }) })
      }
    >
      <Tabs.List mb="md">
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {say(one)} {counts[one] !== undefined && <Count>{counts[one]}</Count>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          {contents[one]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
