import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { keyRef, refOf } from "../../api/refs.ts";
import { useModelCrumbs } from "../../parts/structure/model-crumbs.tsx";
import { AttributePage } from "./attribute-page.tsx";

const entityAttributeRoute = getRouteApi("/shell/models/$modelRef/entities/$entityRef/attributes/$attributeRef");

/** One attribute of an entity on a page of its own. */
export function EntityAttributeScreen(): ReactNode {
  const { modelRef, entityRef, attributeRef } = entityAttributeRoute.useParams();
  const navigate = entityAttributeRoute.useNavigate();
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "entity", modelRef: refOf(modelRef), ownerRef: refOf(entityRef) }),
    [modelRef, entityRef],
  );
  const crumbs = useModelCrumbs(modelRef, "entities");
  const { data } = useRead("model/entity_get", { modelRef: refOf(modelRef), entityRef: refOf(entityRef) });
  const entity = data?.body;
  return (
    <AttributePage
      owner={owner}
      attributeRef={refOf(attributeRef)}
      crumbs={[
        ...crumbs,
        <Link key="entity" to="/models/$modelRef/entities/$entityRef" params={{ modelRef, entityRef }}>
          <span lang="en" dir="auto">
            {entity ? entity.name || entity.key : entityRef.replace(/^key:/, "")}
          </span>
        </Link>,
      ]}
      moved={(key) => navigate({ params: (before) => ({ ...before, attributeRef: keyRef(key) }), replace: true })}
      back={() => navigate({ to: "/models/$modelRef/entities/$entityRef", params: { modelRef, entityRef } })}
    />
  );
}
