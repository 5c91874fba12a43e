import { actorId, roleRef, userRef } from "./account-types.ts";
import type { Ref } from "./refs.ts";
import { businessKeyRef, relationshipAttributeRef, relationshipRef } from "./structure-types.ts";
import { globalTagRef, localTagRef, tagGroupRef } from "./tag-types.ts";
import { entityAttributeRef, entityRef, modelRef, typeRef, type ValueType } from "./value-types.ts";

/** Ref types by the id a kind names. */
export const REF_TYPES: { readonly [id: string]: ValueType<Ref> } = Object.fromEntries(
  [
    modelRef,
    typeRef,
    entityRef,
    entityAttributeRef,
    relationshipRef,
    relationshipAttributeRef,
    businessKeyRef,
    localTagRef,
    globalTagRef,
    tagGroupRef,
    userRef,
    actorId,
    roleRef,
  ].map((t) => [t.id, t]),
);
