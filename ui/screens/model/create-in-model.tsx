import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { keyRef, type RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { CreateEntity, CreateRelationship, CreateType } from "../../parts/structure/create-object.tsx";
import { useStructureWords } from "../../words/structure.ts";
import type { Contents } from "./content-columns.tsx";

const ADDS = { entities: "addEntity", relationships: "addRelationship", types: "addType" } as const;
const CREATES = {
  entities: "model/entity_create",
  relationships: "model/relationship_create",
  types: "model/type_create",
} as const;

interface CreateButtonProps {
  readonly kind: Contents;
  readonly open: () => void;
}

/** Offers to create an object of a kind to those who may. */
export function CreateButton({ kind, open }: CreateButtonProps): ReactNode {
  const say = useStructureWords();
  const may = useMay();
  if (!may(CREATES[kind])) return null;
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {say(ADDS[kind])}
    </Button>
  );
}

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
