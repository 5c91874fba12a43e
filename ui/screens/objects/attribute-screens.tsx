import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMemo } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type Attribute, type AttributeOwner, getAttributeActions } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { AttributeDetails } from "../../parts/attributes/attribute-details.tsx";
import { getAttributeInput, useAttributes, useAttributeTexts } from "../../parts/attributes/attribute-editing.ts";
import { AttributeMenu } from "../../parts/attributes/attribute-menu.tsx";
import { PastLink } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page.tsx";
import { ObjectHeader, useModelCrumbs } from "../../parts/structure/object-parts.tsx";
import { useWords } from "../../words/words.ts";

interface AttributePageProps {
  readonly owner: AttributeOwner;
  readonly attributeRef: RefText;
  readonly crumbs: readonly ReactNode[];
  /** Opens the page of the attribute under its new key. */
  readonly openNewKey: (key: string) => void | Promise<void>;
  /** Opens the owner. */
  readonly back: () => Promise<void>;
}

/** Page of an attribute. */
function AttributePage(props: AttributePageProps): ReactNode {
  const { owner, attributeRef } = props;
  const read = useRead(getAttributeActions(owner).get, getAttributeInput(owner, attributeRef));
  return (
    <Loaded read={read} past={<PastLink modelRef={owner.modelRef} objectRef={attributeRef} />}>
      {(attribute, answer) => <Page key={attribute.id} {...props} answer={answer} />}
    </Loaded>
  );
}

interface PageProps extends AttributePageProps {
  readonly answer: Answer<Attribute>;
}

function Page({ owner, attributeRef, crumbs, openNewKey, back, answer }: PageProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const actions = getAttributeActions(owner);
  const { body: attribute, etag } = answer;
  const { name, objectKey } = useAttributeTexts(owner, attributeRef, { key: attribute.key, etag }, openNewKey);
  const list = useAttributes(owner);
  return (
    <>
      <ObjectHeader
        noun={say("attribute")}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        mayName={may(actions.updateName)}
        mayKey={may(actions.updateKey)}
        actions={
          <AttributeMenu
            owner={owner}
            attributes={list.data?.body.items ?? []}
            etag={list.data?.etag}
            attribute={attribute}
            onDeleted={back}
          />
        }
      />
      <PageBody isReading>
        <AttributeDetails owner={owner} attribute={attribute} attributeRef={attributeRef} />
      </PageBody>
    </>
  );
}

const entityAttributeRoute = getRouteApi("/shell/models/$modelRef/entities/$entityRef/attributes/$attributeRef");

/** Page of an attribute of an entity. */
export function EntityAttributeScreen(): ReactNode {
  const { modelRef, entityRef, attributeRef } = entityAttributeRoute.useParams();
  const navigate = entityAttributeRoute.useNavigate();
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "entity", modelRef: toRef(modelRef), ownerRef: toRef(entityRef) }),
    [modelRef, entityRef],
  );
  const crumbs = useModelCrumbs(modelRef, "entities");
  const { data } = useRead("model/entity_get", { modelRef: toRef(modelRef), entityRef: toRef(entityRef) });
  const entity = data?.body;
  return (
    <AttributePage
      owner={owner}
      attributeRef={toRef(attributeRef)}
      crumbs={[
        ...crumbs,
        <Link key="entity" to="/models/$modelRef/entities/$entityRef" params={{ modelRef, entityRef }}>
          <span lang="en" dir="auto">
            {entity ? entity.name || entity.key : entityRef.replace(/^key:/, "")}
          </span>
        </Link>,
      ]}
      openNewKey={(key) =>
        navigate({ params: (before) => ({ ...before, attributeRef: toKeyRef(key) }), replace: true })
      }
      back={() => navigate({ to: "/models/$modelRef/entities/$entityRef", params: { modelRef, entityRef } })}
    />
  );
}

const relationshipAttributeRoute = getRouteApi(
  "/shell/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
);

/** Page of an attribute of a relationship. */
export function RelationshipAttributeScreen(): ReactNode {
  const { modelRef, relationshipRef, attributeRef } = relationshipAttributeRoute.useParams();
  const navigate = relationshipAttributeRoute.useNavigate();
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "relationship", modelRef: toRef(modelRef), ownerRef: toRef(relationshipRef) }),
    [modelRef, relationshipRef],
  );
  const crumbs = useModelCrumbs(modelRef, "relationships");
  const { data } = useRead("model/relationship_get", {
    modelRef: toRef(modelRef),
    relationshipRef: toRef(relationshipRef),
  });
  const relationship = data?.body;
  return (
    <AttributePage
      owner={owner}
      attributeRef={toRef(attributeRef)}
      crumbs={[
        ...crumbs,
        <Link
          key="relationship"
          to="/models/$modelRef/relationships/$relationshipRef"
          params={{ modelRef, relationshipRef }}
        >
          <span lang="en" dir="auto">
            {relationship ? relationship.name || relationship.key : relationshipRef.replace(/^key:/, "")}
          </span>
        </Link>,
      ]}
      openNewKey={(key) =>
        navigate({ params: (before) => ({ ...before, attributeRef: toKeyRef(key) }), replace: true })
      }
      back={() =>
        navigate({ to: "/models/$modelRef/relationships/$relationshipRef", params: { modelRef, relationshipRef } })
      }
    />
  );
}
