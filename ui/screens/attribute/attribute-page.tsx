import type { ReactNode } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type Attribute, type AttributeOwner, attributeActions } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { AttributeDetails } from "../../parts/attributes/attribute-details.tsx";
import { useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { AttributeMenu } from "../../parts/attributes/attribute-menu.tsx";
import { attributeInput, useAttributeTexts } from "../../parts/attributes/attribute-texts.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { ObjectHeader } from "../../parts/structure/object-header.tsx";
import { useWords } from "../../words/words.ts";

interface AttributePageProps {
  readonly owner: AttributeOwner;
  readonly attributeRef: RefText;
  readonly crumbs: readonly ReactNode[];
  /** Goes to the page of the same attribute under its new key. */
  readonly moved: (key: string) => void | Promise<void>;
  /** Goes to the owner. */
  readonly back: () => Promise<void>;
}

/** One attribute on a page of its own. */
export function AttributePage(props: AttributePageProps): ReactNode {
  const { owner, attributeRef } = props;
  const read = useRead(attributeActions(owner).get, attributeInput(owner, attributeRef));
  return (
    <Loaded read={read} past={<PastLink modelRef={owner.modelRef} objectRef={attributeRef} />}>
      {(attribute, answer) => <Page key={attribute.id} {...props} answer={answer} />}
    </Loaded>
  );
}

interface PageProps extends AttributePageProps {
  readonly answer: Answer<Attribute>;
}

function Page({ owner, attributeRef, crumbs, moved, back, answer }: PageProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const actions = attributeActions(owner);
  const { body: attribute, etag } = answer;
  const { name, objectKey } = useAttributeTexts(owner, attributeRef, { key: attribute.key, etag }, moved);
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
            deleted={back}
          />
        }
      />
      <PageBody isReading>
        <AttributeDetails owner={owner} attribute={attribute} attributeRef={attributeRef} />
      </PageBody>
    </>
  );
}
