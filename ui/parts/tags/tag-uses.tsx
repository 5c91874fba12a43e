import { List, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useTagsWords } from "../../words/tags.ts";
import { TextLink } from "../links.tsx";
import { Loaded } from "../loaded.tsx";
import { Section } from "../section.tsx";
import { TableSkeleton } from "../skeletons.tsx";

/** Places that are listed. */
const SHOWN = 100;

type Found = OutputOf<"model/search">["items"][number];

/** Where a tag is used, in all models that the person may read. */
export function TagUses({ tagId }: { readonly tagId: string }): ReactNode {
  const say = useTagsWords();
  const may = useMay();
  const mayRead = may("model/search");
  const read = useRead(
    "model/search",
    mayRead
      ? {
          filters: { items: [{ type: "tags", condition: "anyOf", value: [`id:${tagId}`] }] },
          fields: ["location"],
          expand: "keys",
          limit: SHOWN,
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
          {next && <Text c="dimmed">{say("usedMore", { count: SHOWN })}</Text>}
        </Section>
      )}
    </Loaded>
  );
}

/** A link to the screen of what was found; that of its model for what has none. */
function FoundLink({ found }: { readonly found: Found }): ReactNode {
  const { location, path } = found;
  const modelRef = keyRef(location.modelKey);
  const text = (
    <span lang="en" dir="auto">
      {path ?? location.modelLabel}
    </span>
  );
  if (location.entityKey !== undefined) {
    return (
      <TextLink
        to="/models/$modelRef/entities/$entityRef"
        params={{ modelRef, entityRef: keyRef(location.entityKey) }}
        search={{ attribute: location.entityAttributeKey }}
      >
        {text}
      </TextLink>
    );
  }
  if (location.relationshipKey !== undefined) {
    const attribute = location.relationshipAttributeKey;
    return (
      <TextLink
        to="/models/$modelRef/relationships/$relationshipRef"
        params={{ modelRef, relationshipRef: keyRef(location.relationshipKey) }}
        search={attribute === undefined ? {} : { tab: "attributes", attribute }}
      >
        {text}
      </TextLink>
    );
  }
  return (
    <TextLink to="/models/$modelRef" params={{ modelRef }}>
      {text}
    </TextLink>
  );
}
