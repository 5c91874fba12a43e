import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useKeyEdit } from "../../api/key-edit.ts";
import { useRead } from "../../api/reads.ts";
import { keyRef, refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useMemberEdit } from "../../api/text-edit.ts";
import { useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { AttributesGrid } from "../../parts/attributes/attributes-grid.tsx";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { lazilyLoaded } from "../../parts/lazily-loaded.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { Split } from "../../parts/panel.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { Count } from "../../parts/structure/count.tsx";
import { useModelCrumbs } from "../../parts/structure/model-crumbs.tsx";
import { ObjectHeader } from "../../parts/structure/object-header.tsx";
import { useWords } from "../../words/words.ts";
import { EntityAbout } from "./entity-about.tsx";
import { EntityProperties } from "./entity-properties.tsx";
import type { EntityProps } from "./entity-props.ts";
import { EntityRelationships } from "./entity-relationships.tsx";

const AttributePanel = lazilyLoaded(
  async () => (await import("../../parts/attributes/attribute-panel.tsx")).AttributePanel,
);
const EntityKeys = lazilyLoaded(async () => (await import("./entity-keys.tsx")).EntityKeys);

const entityRoute = getRouteApi("/shell/models/$modelRef/entities/$entityRef");

/** One entity: its attributes as a table, keys, relationships, tags and properties. */
export function EntityScreen(): ReactNode {
  const { modelRef, entityRef } = entityRoute.useParams();
  const input = { modelRef: refOf(modelRef), entityRef: refOf(entityRef) };
  const read = useRead("model/entity_get", input);
  return (
    <Loaded read={read} past={<PastLink modelRef={input.modelRef} objectRef={input.entityRef} />}>
      {(entity, { etag }) => <Entity key={entity.id} entity={entity} etag={etag} input={input} />}
    </Loaded>
  );
}

function Entity({ entity, etag, input }: EntityProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const search = entityRoute.useSearch();
  const { tab = "attributes", attribute: openKey, ...view } = search;
  const navigate = entityRoute.useNavigate();
  const crumbs = useModelCrumbs(input.modelRef, "entities");
  const [deleting, setDeleting] = useState(false);
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "entity", modelRef: input.modelRef, ownerRef: input.entityRef }),
    [input.modelRef, input.entityRef],
  );
  const attributes = useAttributes(owner);
  const list = attributes.data?.body.items;
  const open = (key: string | undefined): Promise<void> =>
    navigate({
      search: (before) => ({ ...before, attribute: key }),
      replace: key !== undefined && openKey !== undefined,
    });
  const name = useMemberEdit({ read: "model/entity_get", input, refs: input }, "name", "model/entity_update_name");
  const objectKey = useKeyEdit({
    value: entity.key,
    ifMatch: etag,
    write: "model/entity_update_key",
    written: (value) => ({ ...input, value }),
    moved: (key) =>
      navigate({
        params: (before) => ({ ...before, entityRef: keyRef(key) }),
        search: (before) => before,
        replace: true,
      }),
  });
  const primaryKey = useMemo(
    () => new Set(entity.primaryKey.map((ref) => ref.replace(/^id:/, ""))),
    [entity.primaryKey],
  );
  const opened = list?.find(({ key }) => key === openKey);
  return (
    <Split
      panel={
        opened &&
        tab === "attributes" && (
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
        noun={say("entity")}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        mayName={may("model/entity_update_name")}
        mayKey={may("model/entity_update_key")}
        remove={may("model/entity_delete") ? () => setDeleting(true) : undefined}
      />
      <PageBody>
        <EntityAbout entity={entity} input={input} etag={etag} />
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) =>
            void navigate({ search: { ...(next === "attributes" ? {} : { tab: TABS.find((one) => one === next) }) } })
          }
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="attributes">
              {say("attributes")} {list && <Count>{list.length}</Count>}
            </Tabs.Tab>
            <Tabs.Tab value="keys">{say("keys")}</Tabs.Tab>
            <Tabs.Tab value="relationships">{say("relationships")}</Tabs.Tab>
            <Tabs.Tab value="properties">
              {say("properties")} <Count>{Object.keys(entity.properties ?? {}).length}</Count>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="attributes">
            <Loaded read={attributes} skeleton={<TableSkeleton />}>
              {({ items }, answer) => (
                <AttributesGrid
                  owner={owner}
                  attributes={items}
                  etag={answer.etag}
                  primaryKey={primaryKey}
                  view={view}
                  setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
                  openKey={openKey}
                  open={open}
                />
              )}
            </Loaded>
          </Tabs.Panel>
          <Tabs.Panel value="keys">
            <EntityKeys entity={entity} input={input} etag={etag} attributes={list ?? []} />
          </Tabs.Panel>
          <Tabs.Panel value="relationships">
            <EntityRelationships entity={entity} input={input} etag={etag} />
          </Tabs.Panel>
          <Tabs.Panel value="properties">
            <EntityProperties entity={entity} input={input} etag={etag} />
          </Tabs.Panel>
        </Tabs>
      </PageBody>
      {deleting && (
        <ConfirmDelete
          action="model/entity_delete"
          input={input}
          ifMatch={etag}
          what={say("theEntity", { key: entity.key })}
          close={() => setDeleting(false)}
          done={() => navigate({ to: "/models/$modelRef", params: { modelRef: input.modelRef } })}
        />
      )}
    </Split>
  );
}

const TABS = ["keys", "relationships", "properties"] as const;
