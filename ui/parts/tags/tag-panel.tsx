import { Button, List, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type TextEdit, useMemberEdit, usePropertyEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";
import { ConfirmDelete } from "../dialogs/confirm-delete.tsx";
import { TextLink } from "../links.tsx";
import { Loaded } from "../loaded.tsx";
import { Panel, Section } from "../page.tsx";
import { PropertiesSection } from "../properties/properties-section.tsx";
import { PageSkeleton, TableSkeleton } from "../skeletons.tsx";
import { PanelTexts } from "../structure/object-parts.tsx";
import { EditableText } from "../text/editable-text.tsx";

interface TagBody {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

interface TagPanelProps {
  readonly place: TagPlace;
  readonly title: string;
  readonly close: () => Promise<void>;
  readonly openNewKey: (key: string) => void;
}

/** Panel of a tag or tag group: texts, uses and properties. */
export function TagPanel({ place, title, close, openNewKey }: TagPanelProps): ReactNode {
  const read = useRead(getTagActions(place).get, getTagRefs(place));
  return (
    <Panel title={title} close={close} heading={<Heading place={place} title={title} openNewKey={openNewKey} />}>
      <Loaded read={read} skeleton={<PageSkeleton />}>
        {(_, answer) => <Details place={place} answer={answer} close={close} />}
      </Loaded>
    </Panel>
  );
}

function Heading({ place, title, openNewKey }: Omit<TagPanelProps, "close">): ReactNode {
  const may = useMay();
  const actions = getTagActions(place);
  const refs = getTagRefs(place);
  const object = { read: actions.get, input: refs, refs };
  const known = useRead(actions.get, refs).data;
  const name = useMemberEdit(object, "name", actions.updateName);
  const key = useMemberEdit(object, "key", actions.updateKey);
  const keyEdit: TextEdit = {
    value: key.value,
    save: async (text, base) => {
      await key.save(text, base);
      openNewKey(text);
    },
  };
  if (!known) return title;
  return (
    <PanelTexts name={name} objectKey={keyEdit} mayName={may(actions.updateName)} mayKey={may(actions.updateKey)} />
  );
}

interface DetailsProps {
  readonly place: TagPlace;
  readonly answer: Answer<TagBody>;
  readonly close: () => Promise<void>;
}

function Details({ place, answer, close }: DetailsProps): ReactNode {
  const say = useWords("tags");
  const may = useMay();
  const [deleting, setDeleting] = useState(false);
  const { body, etag } = answer;
  const actions = getTagActions(place);
  const refs = getTagRefs(place);
  const object = { read: actions.get, input: refs, refs };
  const description = useMemberEdit(object, "description", actions.updateDescription);
  const propertyEdit = usePropertyEdit(object, actions.updateProperty, actions.deleteProperty);
  return (
    <>
      <Section title={say("description")} level={3}>
        <EditableText
          label={say("descriptionText")}
          kind="markdown"
          edit={description}
          mayEdit={may(actions.updateDescription)}
        />
      </Section>
      {place.kind !== "group" && <TagUses tagId={place.id} />}
      <PropertiesSection level={3} properties={body.properties} edit={propertyEdit} />
      {may(actions.delete) && (
        <Button
          mt="lg"
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setDeleting(true)}
        >
          {say("delete")}
        </Button>
      )}
      {deleting && (
        <ConfirmDelete
          action={actions.delete}
          input={refs}
          ifMatch={etag}
          what={say(place.kind === "group" ? "theGroup" : "theTag", { key: body.key })}
          close={() => setDeleting(false)}
          onDone={close}
        >
          <Text>{say(place.kind === "local" ? "deletedHere" : "deletedEverywhere")}</Text>
        </ConfirmDelete>
      )}
    </>
  );
}

type TagPlace =
  | { readonly kind: "local"; readonly modelRef: RefText; readonly id: string }
  | { readonly kind: "global"; readonly id: string }
  | { readonly kind: "group"; readonly id: string };

function getTagActions({ kind }: TagPlace) {
  const prefix = `tag/tag_${kind}` as const;
  return {
    get: `${prefix}_get`,
    updateKey: `${prefix}_update_key`,
    updateName: `${prefix}_update_name`,
    updateDescription: `${prefix}_update_description`,
    updateProperty: `${prefix}_update_property`,
    deleteProperty: `${prefix}_delete_property`,
    delete: `${prefix}_delete`,
  } as const;
}

function getTagRefs(place: TagPlace) {
  const ref = `id:${place.id}` as const;
  if (place.kind === "local") return { modelRef: place.modelRef, tagRef: ref };
  return place.kind === "global" ? { tagRef: ref } : { tagGroupRef: ref };
}

const MAX_USES = 100;

type Found = OutputOf<"model/search">["items"][number];

function TagUses({ tagId }: { readonly tagId: string }): ReactNode {
  const say = useWords("tags");
  const may = useMay();
  const mayRead = may("model/search");
  const read = useRead(
    "model/search",
    mayRead
      ? {
          filters: { items: [{ type: "tags", condition: "anyOf", value: [`id:${tagId}`] }] },
          fields: ["location"],
          expand: "keys",
          limit: MAX_USES,
        }
      : undefined,
  );
  if (!mayRead) return null;
  return (
    <Loaded read={read} skeleton={<TableSkeleton rows={3} />}>
      {({ items }, { next }) => (
        <Section title={say("usedBy")} {...(!next && { count: items.length })} level={3}>
          {items.length === 0 && <Text c="dimmed">{say("noUses")}</Text>}
          <List listStyleType="none" spacing={4}>
            {items.map((found) => (
              <List.Item key={found.id} style={{ overflowWrap: "anywhere" }}>
                <FoundLink found={found} />
              </List.Item>
            ))}
          </List>
          {next && <Text c="dimmed">{say("usedMore", { count: MAX_USES })}</Text>}
        </Section>
      )}
    </Loaded>
  );
}

function FoundLink({ found: { location, path } }: { readonly found: Found }): ReactNode {
  const { entityKey, entityAttributeKey, relationshipKey, relationshipAttributeKey } = location;
  const modelRef = toKeyRef(location.modelKey);
  const link: Pick<LinkProps, "to" | "params" | "search"> =
    entityKey !== undefined
      ? {
          to: "/models/$modelRef/entities/$entityRef",
          params: { modelRef, entityRef: toKeyRef(entityKey) },
          search: { attribute: entityAttributeKey },
        }
      : relationshipKey !== undefined
        ? {
            to: "/models/$modelRef/relationships/$relationshipRef",
            params: { modelRef, relationshipRef: toKeyRef(relationshipKey) },
            search:
              relationshipAttributeKey === undefined ? {} : { tab: "attributes", attribute: relationshipAttributeKey },
          }
        : { to: "/models/$modelRef", params: { modelRef } };
  return (
    <TextLink {...link}>
      <span lang="en" dir="auto">
        {path ?? location.modelLabel}
      </span>
    </TextLink>
  );
}
