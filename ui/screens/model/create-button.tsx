import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useMay } from "../../api/rights.ts";
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
