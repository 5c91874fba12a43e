import { type Pictures, picturesOf } from "./picture.ts";
import { LONG_KEY, LONG_MODEL, type Pictured } from "./pictured-service.ts";

/** The screens of an instance without an administrator, whose link for the first run is given. */
export const firstScreens = (firstRun: string): Pictures => ({
  "first-run": { path: firstRun, as: "nobody" },
  "first-run-used": { path: "/first-run", as: "nobody" },
});

/** The screens of an instance that has nothing but its administrator. */
export const emptyScreens: Pictures = picturesOf({
  "empty-instance": "/models",
  "empty-tags": "/tags",
  "empty-groups": "/tags?show=groups",
  "empty-jobs": "/jobs",
  "empty-tokens": "/administration/tokens",
  "empty-properties": "/administration/properties",
  "empty-compare": "/compare",
  "empty-batch": "/batch",
});

/** The screens of an instance in which somebody has worked, those that are long or lead nowhere among them. */
export function filledScreens({
  entityKey,
  attributeKey,
  relationshipKey,
  typeKey,
  roleId,
  actorId,
  serviceId,
}: Pictured): Pictures {
  const model = "/models/key:library";
  const entity = `${model}/entities/key:${entityKey}`;
  const long = `/models/key:${LONG_MODEL}`;
  const released = "/compare?left=key:library&leftAt=2.0.0&right=key:library";
  return picturesOf({
    models: "/models",
    model,
    "model-relationships": `${model}?show=relationships`,
    "model-types": `${model}?show=types`,
    entity,
    "entity-keys": `${entity}?tab=keys`,
    "entity-relationships": `${entity}?tab=relationships`,
    "entity-properties": `${entity}?tab=properties`,
    "entity-panel": `${entity}?attribute=${attributeKey}`,
    attribute: `${entity}/attributes/key:${attributeKey}`,
    relationship: `${model}/relationships/key:${encodeURIComponent(relationshipKey)}`,
    type: `${model}/types/key:${typeKey}`,
    "model-tags": `${model}/tags`,
    diagram: `${model}/diagram`,
    "diagram-focus": `${model}/diagram?focus=key:${entityKey}&distance=1&entity=key:${entityKey}`,
    "diagram-list": `${model}/diagram?view=list`,
    history: `${model}/history`,
    compare: released,
    "compare-structure": `${released}&scope=structural`,
    "compare-changed": "/compare?left=key:library&leftAt=r1&right=key:library",
    "compare-diagram": "/compare?left=key:library&leftAt=r1&right=key:library&view=diagram",
    search: "/search?q=book",
    tags: "/tags",
    actions: "/actions",
    action: "/actions/model/entity_create",
    batch: "/batch",
    jobs: "/jobs",
    people: "/administration/people",
    roles: "/administration/roles",
    "role-panel": `/administration/roles?role=${roleId}`,
    "person-panel": `/administration/people?actor=${actorId}`,
    services: "/administration/people?of=services",
    "service-panel": `/administration/people?of=services&actor=${serviceId}`,
    tokens: "/administration/tokens",
    "tokens-of-all": "/administration/tokens?of=all",
    properties: "/administration/properties",
    issuers: "/administration/issuers",
    audit: "/administration/audit",
    "empty-model": "/models/key:sales",
    "empty-diagram": "/models/key:sales/diagram",
    "empty-history": "/models/key:sales/history",
    "empty-model-tags": "/models/key:sales/tags",
    "empty-search": "/search?q=nothingatall",
    "gone-page": "/nowhere",
    "gone-model": "/models/key:nothing",
    "gone-entity": `${model}/entities/key:nothing`,
    "gone-attribute": `${entity}/attributes/key:nothing`,
    "gone-compare": "/compare?left=key:library&right=key:library&rightAt=r99",
    "long-model": long,
    "long-entity": `${long}/entities/key:${LONG_KEY}`,
    "long-attribute": `${long}/entities/key:${LONG_KEY}/attributes/key:${LONG_KEY}`,
    "long-panel": `${long}/entities/key:${LONG_KEY}?attribute=${LONG_KEY}`,
    "long-relationship": `${long}/relationships/key:${LONG_KEY}`,
    "long-diagram": `${long}/diagram`,
    "long-history": `${long}/history`,
    "long-compare": `/compare?left=key:${LONG_MODEL}&leftAt=r1&right=key:${LONG_MODEL}`,
    "long-search": `/search?q=${LONG_KEY.slice(0, 20)}`,
    "long-tags": `${long}/tags`,
  });
}
