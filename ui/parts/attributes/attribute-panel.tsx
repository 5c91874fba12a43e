import { IconArrowsMaximize } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";
import { IconLink } from "../links.tsx";
import { LoadedBody } from "../loaded.tsx";
import { Panel } from "../page.tsx";
import { PageSkeleton } from "../skeletons.tsx";
import { PanelTexts } from "../structure/object-parts.tsx";
import { AttributeDetails } from "./attribute-details.tsx";
import { getAttributeInput, useAttributeTexts } from "./attribute-editing.ts";
import { AttributeMenu } from "./attribute-menu.tsx";
import styles from "./attributes.module.css";

interface AttributePanelProps {
  readonly owner: AttributeOwner;
  readonly attributes: readonly Attribute[];
  readonly etag: string | undefined;
  readonly attribute: Attribute;
  readonly open: (key: string | undefined) => Promise<void>;
}

/** Panel of one attribute next to the table of all. */
export function AttributePanel(props: AttributePanelProps): ReactNode {
  const { owner, attributes, etag, attribute, open } = props;
  const attributeRef = `id:${attribute.id}` as const;
  const read = useRead(getAttributeActions(owner).get, getAttributeInput(owner, attributeRef));
  return (
    <Panel
      title={attribute.name || attribute.key}
      close={() => open(undefined)}
      heading={
        read.data ? (
          <Heading owner={owner} attributeRef={attributeRef} answer={read.data} open={open}>
            <AttributeMenu
              owner={owner}
              attributes={attributes}
              etag={etag}
              attribute={attribute}
              onDeleted={() => open(undefined)}
            />
          </Heading>
        ) : (
          attribute.name || attribute.key
        )
      }
    >
      <LoadedBody read={read} skeleton={<PageSkeleton />}>
        {(body) => <AttributeDetails owner={owner} attribute={body} attributeRef={attributeRef} />}
      </LoadedBody>
    </Panel>
  );
}

/** Addresses of attributes. The link casts its params, because one address takes another owner than the other. */
const PAGES = {
  entity: "/models/$modelRef/entities/$entityRef/attributes/$attributeRef",
  relationship: "/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
} as const;

interface HeadingProps {
  readonly owner: AttributeOwner;
  readonly attributeRef: RefText;
  readonly answer: Answer<Attribute>;
  readonly open: (key: string) => void;
  readonly children: ReactNode;
}

function Heading({ owner, attributeRef, answer, open, children }: HeadingProps) {
  const say = useWords("structure");
  const { body, etag } = answer;
  const { name, objectKey } = useAttributeTexts(owner, attributeRef, { key: body.key, etag }, open);
  return (
    <span className={styles.heading}>
      <PanelTexts name={name} objectKey={objectKey} />
      {children}
      <IconLink
        to={PAGES[owner.kind]}
        params={{ ...getOwnerRefs(owner), attributeRef: toKeyRef(body.key) } as never}
        variant="subtle"
        color="gray"
        aria-label={say("open")}
        title={say("open")}
      >
        <IconArrowsMaximize size={16} aria-hidden />
      </IconLink>
    </span>
  );
}
