import { Button, List, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type TextEdit, useMemberEdit, usePropertyEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { getObjectActions, type OutputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";
import { DeleteButton } from "../dialogs/confirm-delete.tsx";
import { TextLink } from "../links.tsx";
import { LoadedBody } from "../loaded.tsx";
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
  readonly target: TagTarget;
  readonly title: string;
  readonly close: () => Promise<void>;
  readonly openNewKey: (key: string) => void;
}

/** Panel of a tag or tag group: texts, uses and properties. */
export function TagPanel({ target, title, close, openNewKey }: TagPanelProps): ReactNode {
  const read = useRead(getTagActions(target).get, getTagRefs(target));
  return (
    <Panel title={title} close={close} heading={<Heading target={target} title={title} openNewKey={openNewKey} />}>
      <LoadedBody read={read} skeleton={<PageSkeleton />}>
        {(_, answer) => <Details target={target} answer={answer} close={close} />}
      </LoadedBody>
    </Panel>
  );
}

function Heading({ target, title, openNewKey }: Omit<TagPanelProps, "close">) {
  const actions = getTagActions(target);
  const refs = getTagRefs(target);
  const object = { read: actions.get, input: refs, refs };
  const answer = useRead(actions.get, refs).data;
  const name = useMemberEdit(object, "name", actions.updateName);
  const key = useMemberEdit(object, "key", actions.updateKey);
  const keyEdit: TextEdit = {
    ...key,
    save: async (text, base) => {
      await key.save(text, base);
      openNewKey(text);
    },
  };
  return answer ? <PanelTexts name={name} objectKey={keyEdit} /> : title;
}

interface DetailsProps {
  readonly target: TagTarget;
  readonly answer: Answer<TagBody>;
  readonly close: () => Promise<void>;
}

function Details({ target, answer, close }: DetailsProps) {
  const say = useWords("tags");
  const may = useMay();
  const { body, etag } = answer;
  const actions = getTagActions(target);
  const refs = getTagRefs(target);
  const object = { read: actions.get, input: refs, refs };
  const description = useMemberEdit(object, "description", actions.updateDescription);
  const propertyEdit = usePropertyEdit(object, actions.updateProperty, actions.deleteProperty);
  return (
    <>
      <Section title={say("description")}>
        <EditableText label={say("descriptionText")} kind="markdown" edit={description} />
      </Section>
      {target.kind !== "group" && <TagUses tagId={target.id} />}
      <PropertiesSection properties={body.properties} edit={propertyEdit} />
      {may(actions.delete) && (
        <DeleteButton
          action={actions.delete}
          input={refs}
          ifMatch={etag}
          what={say(target.kind === "group" ? "theGroup" : "theTag", { key: body.key })}
          onDone={close}
          renderButton={(ask) => (
            <Button mt="lg" variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
              {say("delete")}
            </Button>
          )}
        >
          <Text>{say(target.kind === "local" ? "deletedHere" : "deletedEverywhere")}</Text>
        </DeleteButton>
      )}
    </>
  );
}

type TagTarget =
  | { readonly kind: "local"; readonly modelRef: RefText; readonly id: string }
  | { readonly kind: "global"; readonly id: string }
  | { readonly kind: "group"; readonly id: string };

const getTagActions = ({ kind }: TagTarget) => getObjectActions(`tag/tag_${kind}`);

function getTagRefs(target: TagTarget) {
  const ref = `id:${target.id}` as const;
  if (target.kind === "local") return { modelRef: target.modelRef, tagRef: ref };
  return target.kind === "global" ? { tagRef: ref } : { tagGroupRef: ref };
}

const MAX_USES = 100;

type Hit = OutputOf<"model/search">["items"][number];

function TagUses({ tagId }: { readonly tagId: string }) {
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
    <LoadedBody read={read} skeleton={<TableSkeleton rows={3} />}>
      {({ items }, { next }) => (
        <Section title={say("usedBy")} {...(!next && { count: items.length })}>
          {items.length === 0 && <Text c="dimmed">{say("noUses")}</Text>}
          <List listStyleType="none" spacing={4}>
            {items.map((hit) => (
              <List.Item key={hit.id} style={{ overflowWrap: "anywhere" }}>
                <HitLink hit={hit} />
              </List.Item>
            ))}
          </List>
          {next && <Text c="dimmed">{say("usedMore", { count: MAX_USES })}</Text>}
        </Section>
      )}
    </LoadedBody>
  );
}

function HitLink({ hit: { location, path } }: { readonly hit: Hit }) {
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
      <bdi lang="en">{path ?? location.modelLabel}</bdi>
    </TextLink>
  );
}
