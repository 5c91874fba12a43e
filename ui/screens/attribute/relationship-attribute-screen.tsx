import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { AttributeOwner } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { keyRef, refOf } from "../../api/refs.ts";
import { useModelCrumbs } from "../../parts/structure/model-crumbs.tsx";
import { AttributePage } from "./attribute-page.tsx";

const relationshipAttributeRoute = getRouteApi(
  "/shell/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
);

/** One attribute of a relationship on a page of its own. */
export function RelationshipAttributeScreen(): ReactNode {
  const { modelRef, relationshipRef, attributeRef } = relationshipAttributeRoute.useParams();
  const navigate = relationshipAttributeRoute.useNavigate();
  const owner = useMemo<AttributeOwner>(
    () => ({ kind: "relationship", modelRef: refOf(modelRef), ownerRef: refOf(relationshipRef) }),
    [modelRef, relationshipRef],
  );
  const crumbs = useModelCrumbs(modelRef, "relationships");
  const { data } = useRead("model/relationship_get", {
    modelRef: refOf(modelRef),
    relationshipRef: refOf(relationshipRef),
  });
  const relationship = data?.body;
  return (
    <AttributePage
      owner={owner}
      attributeRef={refOf(attributeRef)}
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
      moved={(key) => navigate({ params: (before) => ({ ...before, attributeRef: keyRef(key) }), replace: true })}
      back={() =>
        navigate({ to: "/models/$modelRef/relationships/$relationshipRef", params: { modelRef, relationshipRef } })
      }
    />
  );
}
