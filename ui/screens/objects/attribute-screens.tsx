import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef, toRef } from "../../api/refs.ts";
import { AttributeDetails } from "../../parts/attributes/attribute-details.tsx";
import { getAttributeInput, useAttributes, useAttributeTexts } from "../../parts/attributes/attribute-editing.ts";
import { AttributeMenu } from "../../parts/attributes/attribute-menu.tsx";
import { PastLink, PathLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { getObjectPath } from "../../parts/object-path.ts";
import { PageBody } from "../../parts/page.tsx";
import { ObjectHeader, useModelCrumbs } from "../../parts/structure/object-parts.tsx";
import { useWords } from "../../words/words.ts";

/** Page of an attribute of an entity. */
export const EntityAttributeScreen = () => <AttributeScreen kind="entity" />;

/** Page of an attribute of a relationship. */
export const RelationshipAttributeScreen = () => <AttributeScreen kind="relationship" />;

function AttributeScreen({ kind }: Pick<AttributeOwner, "kind">) {
  const { modelRef = "", attributeRef = "", ...owners } = useParams({ strict: false });
  const ownerRef = owners[`${kind}Ref`] ?? "";
  const owner = useMemo<AttributeOwner>(
    () => ({ kind, modelRef: toRef(modelRef), ownerRef: toRef(ownerRef) }),
    [kind, modelRef, ownerRef],
  );
  const ref = toRef(attributeRef);
  const read = useRead(getAttributeActions(owner).get, getAttributeInput(owner, ref));
  return (
    <LoadedBody read={read} past={<PastLink modelRef={owner.modelRef} objectRef={ref} />}>
      {(attribute, answer) => <AttributePage key={attribute.id} owner={owner} attributeRef={ref} answer={answer} />}
    </LoadedBody>
  );
}

interface AttributePageProps {
  readonly owner: AttributeOwner;
  readonly attributeRef: RefText;
  readonly answer: Answer<Attribute>;
}

function AttributePage({ owner, attributeRef, answer }: AttributePageProps) {
  const say = useWords("structure");
  const navigate = useNavigate();
  const { body: attribute, etag } = answer;
  const { name, objectKey } = useAttributeTexts(owner, attributeRef, { key: attribute.key, etag }, (key) =>
    navigate({ to: ".", params: (before) => ({ ...before, attributeRef: toKeyRef(key) }), replace: true }),
  );
  const list = useAttributes(owner);
  const crumbs = useModelCrumbs(owner.modelRef, owner.kind === "entity" ? "entities" : "relationships");
  const read = useRead(`model/${owner.kind}_get` as const, getOwnerRefs(owner));
  const path = getObjectPath(getOwnerRefs(owner));
  return (
    <>
      <ObjectHeader
        noun={say("attribute")}
        crumbs={[
          ...crumbs,
          <PathLink key="owner" path={path}>
            <bdi lang="en">
              {read.data ? read.data.body.name || read.data.body.key : owner.ownerRef.replace(/^key:/, "")}
            </bdi>
          </PathLink>,
        ]}
        name={name}
        objectKey={objectKey}
        actions={
          <AttributeMenu
            owner={owner}
            attributes={list.data?.body.items ?? []}
            etag={list.data?.etag}
            attribute={attribute}
            onDeleted={() => navigate({ ...path, params: path.params as never })}
          />
        }
      />
      <PageBody isReading>
        <AttributeDetails owner={owner} attribute={attribute} attributeRef={attributeRef} />
      </PageBody>
    </>
  );
}
