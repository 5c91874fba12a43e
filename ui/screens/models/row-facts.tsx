import { Skeleton } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { TagRow } from "../../parts/tag-chip.tsx";
import { useFormats } from "../../words/formats.ts";
import { useModelsWords } from "../../words/models.ts";

/** Milliseconds that a row has to be in sight before its facts are read: rows that are scrolled past are not asked for. */
const PATIENCE = 150;

function useIsStaying(): boolean {
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStaying(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isStaying;
}

interface OfModel {
  readonly modelRef: RefText;
}

const waiting = <Skeleton height={10} width="60%" />;

/** The tags of a model in the list. */
export function ModelTags({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", useIsStaying() ? { modelRef } : undefined);
  if (!data) return error ? null : waiting;
  return <TagRow tags={data.body.tags} most={2} />;
}

/** Who is accountable for a model. */
export function ModelOwner({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", useIsStaying() ? { modelRef } : undefined);
  if (!data) return error ? null : waiting;
  const owner = data.body.properties?.owner;
  return typeof owner === "string" ? <span lang="en">{owner}</span> : null;
}

/** Whether a model was changed since its newest release. */
export function ModelUnreleased({ modelRef }: OfModel): ReactNode {
  const say = useModelsWords();
  const enabled = useIsStaying();
  const model = useRead("model/model_get", enabled ? { modelRef } : undefined);
  const versions = useRead("model/history_versions", enabled ? { modelRef, limit: 1 } : undefined);
  if (!model.data || !versions.data) return model.error || versions.error ? null : waiting;
  const count = model.data.body.revision - (versions.data.body.items[0]?.revision ?? 0);
  return count > 0 ? say("changes", { count }) : <span style={{ color: "var(--mantine-color-dimmed)" }}>–</span>;
}

/** How many entities or relationships a model has. */
export function ModelCount({ modelRef, of }: OfModel & { readonly of: "entity" | "relationship" }): ReactNode {
  const formats = useFormats();
  const enabled = useIsStaying();
  const input = enabled ? ({ modelRef, expand: "keys" } as const) : undefined;
  const entities = useRead("model/entity_list", of === "entity" ? input : undefined);
  const relationships = useRead("model/relationship_list", of === "relationship" ? input : undefined);
  const { data, error } = of === "entity" ? entities : relationships;
  if (!data) return error ? null : waiting;
  return formats.number(data.body.items.length);
}
