import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { keyRef, type RefText } from "../../api/refs.ts";
import { CreateEntity, CreateRelationship, CreateType } from "../../parts/structure/create-object.tsx";
import type { Contents } from "./content-columns.tsx";

interface CreateInModelProps {
  readonly kind: Contents;
  readonly modelRef: RefText;
  /** The entity in the first role of a relationship, where it is known. */
  readonly entityRef: string | undefined;
  readonly close: () => void;
}

/** The dialog that creates an object of a kind, and goes to it. */
export function CreateInModel({ kind, modelRef, entityRef, close }: CreateInModelProps): ReactNode {
  const navigate = useNavigate();
  const shared = { modelRef, close };
  if (kind === "types") {
    return (
      <CreateType
        {...shared}
        created={(key) =>
          void navigate({ to: "/models/$modelRef/types/$typeRef", params: { modelRef, typeRef: keyRef(key) } })
        }
      />
    );
  }
  if (kind === "entities") {
    return (
      <CreateEntity
        {...shared}
        created={(key) =>
          void navigate({ to: "/models/$modelRef/entities/$entityRef", params: { modelRef, entityRef: keyRef(key) } })
        }
      />
    );
  }
  return (
    <CreateRelationship
      {...shared}
      entityRef={entityRef}
      created={(key) =>
        void navigate({
          to: "/models/$modelRef/relationships/$relationshipRef",
          params: { modelRef, relationshipRef: keyRef(key) },
        })
      }
    />
  );
}
