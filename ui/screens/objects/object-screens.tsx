import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { useAttributes } from "../../parts/attributes/attribute-editing.ts";
import { loadLazily } from "../../parts/lazily-loaded.tsx";
import { PastLink } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { useWords } from "../../words/words.ts";
import { AttributesTab, ObjectPage, ObjectTabs, OpenAttribute } from "./object-page.tsx";
import { type EntityProps, type RelationshipProps, toReadInput } from "./object-props.ts";
import { TypeUses } from "./type-uses.tsx";

const EntityRelationships = loadLazily(async () => (await import("./entity-relationships.tsx")).EntityRelationships);
const Roles = loadLazily(async () => (await import("./roles.tsx")).Roles);
const EntityKeys = loadLazily(async () => (await import("./entity-keys.tsx")).EntityKeys);

const entityRoute = getRouteApi("/shell/models/$modelRef/entities/$entityRef");

/** Page of an entity: attributes, keys, relationships, tags and properties. */
export function EntityScreen(): ReactNode {
  const { modelRef, entityRef } = entityRoute.useParams();
  const input = { modelRef: toRef(modelRef), entityRef: toRef(entityRef) };
  const read = useRead("model/entity_get", input);
  return (
    <Loaded read={read} past={<PastLink modelRef={input.modelRef} objectRef={input.entityRef} />}>
      {(entity, { etag }) => <Entity key={entity.id} entity={entity} etag={etag} input={input} />}
    </Loaded>
  );
}

function Entity({ entity, etag, input }: EntityProps): ReactNode {
  const say = useWords("structure");
  const { tab = "attributes", attribute: openKey, ...view } = entityRoute.useSearch();
  const navigate = entityRoute.useNavigate();
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
  const primaryKey = useMemo(
    () => new Set(entity.primaryKey.map((ref) => ref.replace(/^id:/, ""))),
    [entity.primaryKey],
  );
  const shared = { owner, attributes, openKey, open };
  return (
    <ObjectPage
      kind="entity"
      modelRef={input.modelRef}
      objectRef={input.entityRef}
      object={entity}
      etag={etag}
      openNewKey={(key) =>
        navigate({ params: (before) => ({ ...before, entityRef: toKeyRef(key) }), search: true, replace: true })
      }
      onDeleted={() => navigate({ to: "/models/$modelRef", params: { modelRef: input.modelRef } })}
      panel={tab === "attributes" && list?.some(({ key }) => key === openKey) && <OpenAttribute {...shared} />}
    >
      {(properties) => (
        <ObjectTabs
          value={tab}
          choose={(next) => void navigate({ search: next === "attributes" ? {} : { tab: next } })}
          tabs={[
            {
              value: "attributes",
              label: say("attributes"),
              count: list?.length,
              content: (
                <AttributesTab
                  {...shared}
                  primaryKey={primaryKey}
                  view={view}
                  setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
                />
              ),
            },
            {
              value: "keys",
              label: say("keys"),
              content: <EntityKeys entity={entity} input={input} etag={etag} attributes={list ?? []} />,
            },
            {
              value: "relationships",
              label: say("relationships"),
              content: <EntityRelationships entity={entity} input={input} etag={etag} />,
            },
            {
              value: "properties",
              label: say("properties"),
              count: Object.keys(entity.properties ?? {}).length,
              content: properties,
            },
          ]}
        />
      )}
    </ObjectPage>
  );
}

const relationshipRoute = getRouteApi("/shell/models/$modelRef/relationships/$relationshipRef");

/** Page of a relationship: roles, key pairs, attributes, tags and properties. */
export function RelationshipScreen(): ReactNode {
  const params = relationshipRoute.useParams();
  const input = { modelRef: toRef(params.modelRef), relationshipRef: toRef(params.relationshipRef) };
  const read = useRead("model/relationship_get", toReadInput(input));
  return (
    <Loaded read={read} past={<PastLink modelRef={input.modelRef} objectRef={input.relationshipRef} />}>
      {(relationship, { etag }) => (
        <Relationship key={relationship.id} relationship={relationship} etag={etag} input={input} />
      )}
    </Loaded>
  );
}

function Relationship({ relationship, etag, input }: RelationshipProps): ReactNode {
  const say = useWords("structure");
  const { modelRef, relationshipRef } = input;
  const { tab = "roles", attribute: openKey, ...view } = relationshipRoute.useSearch();
  const navigate = relationshipRoute.useNavigate();
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "relationship", modelRef, ownerRef: relationshipRef }),
    [modelRef, relationshipRef],
  );
  const attributes = useAttributes(owner);
  const list = attributes.data?.body.items;
  const open = (key: string | undefined): Promise<void> =>
    navigate({
      search: (before) => ({ ...before, attribute: key }),
      replace: key !== undefined && openKey !== undefined,
    });
  const shared = { owner, attributes, openKey, open };
  return (
    <ObjectPage
      kind="relationship"
      modelRef={modelRef}
      objectRef={relationshipRef}
      object={relationship}
      etag={etag}
      readParameters={toReadInput(input)}
      openNewKey={(key) =>
        navigate({ params: (before) => ({ ...before, relationshipRef: toKeyRef(key) }), search: true, replace: true })
      }
      onDeleted={() => navigate({ to: "/models/$modelRef", params: { modelRef }, search: { show: "relationships" } })}
      panel={tab === "attributes" && list?.some(({ key }) => key === openKey) && <OpenAttribute {...shared} />}
    >
      {(properties) => (
        <ObjectTabs
          value={tab}
          choose={(next) => void navigate({ search: next === "roles" ? {} : { tab: next } })}
          tabs={[
            {
              value: "roles",
              label: say("roles"),
              count: relationship.roles.length,
              content: <Roles relationship={relationship} input={input} etag={etag} />,
            },
            {
              value: "attributes",
              label: say("attributes"),
              count: list?.length,
              content: (
                <AttributesTab
                  {...shared}
                  view={view}
                  setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
                />
              ),
            },
            {
              value: "properties",
              label: say("properties"),
              count: Object.keys(relationship.properties ?? {}).length,
              content: properties,
            },
          ]}
        />
      )}
    </ObjectPage>
  );
}

const typeRoute = getRouteApi("/shell/models/$modelRef/types/$typeRef");

/** Page of a type: description and uses. */
export function TypeScreen(): ReactNode {
  const params = typeRoute.useParams();
  const view = typeRoute.useSearch();
  const navigate = typeRoute.useNavigate();
  const [modelRef, typeRef] = [toRef(params.modelRef), toRef(params.typeRef)];
  const read = useRead("model/type_get", { modelRef, typeRef });
  return (
    <Loaded read={read} past={<PastLink modelRef={modelRef} objectRef={typeRef} />}>
      {(type, { etag }) => (
        <ObjectPage
          key={type.id}
          kind="type"
          modelRef={modelRef}
          objectRef={typeRef}
          object={type}
          etag={etag}
          openNewKey={(key) =>
            navigate({ params: (before) => ({ ...before, typeRef: toKeyRef(key) }), search: true, replace: true })
          }
          onDeleted={() => navigate({ to: "/models/$modelRef", params: { modelRef }, search: { show: "types" } })}
        >
          {(properties) => (
            <>
              <TypeUses
                modelRef={modelRef}
                typeKey={type.key}
                view={view}
                setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
              />
              {properties}
            </>
          )}
        </ObjectPage>
      )}
    </Loaded>
  );
}
