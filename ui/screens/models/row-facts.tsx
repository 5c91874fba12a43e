import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { WaitingCell } from "../../parts/grid/waiting-cell.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { useFormats } from "../../words/formats.ts";
import { useModelsWords } from "../../words/models.ts";

interface OfModel {
  readonly modelRef: RefText;
}

/** The tags of a model in the list. */
export function ModelTags({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  return <TagRow tags={data.body.tags} most={2} />;
}

/** Who is accountable for a model. */
export function ModelOwner({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  const owner = data.body.properties?.owner;
  return typeof owner === "string" ? <span lang="en">{owner}</span> : null;
}

/** Whether a model was changed since its newest release. */
export function ModelUnreleased({ modelRef }: OfModel): ReactNode {
  const say = useModelsWords();
  const formats = useFormats();
  const model = useRead("model/model_get", { modelRef });
  const versions = useRead("model/history_versions", { modelRef, limit: 1 });
  if (!model.data || !versions.data) return model.error || versions.error ? null : <WaitingCell />;
  const count = model.data.body.revision - (versions.data.body.items[0]?.revision ?? 0);
  return count > 0 ? (
    <span title={say("changes", { count })}>{formats.number(count)}</span>
  ) : (
    <span style={{ color: "var(--mantine-color-dimmed)" }}>–</span>
  );
}

/** How many entities or relationships a model has. */
export function ModelCount({ modelRef, of }: OfModel & { readonly of: "entity" | "relationship" }): ReactNode {
  const formats = useFormats();
  const action = of === "entity" ? "model/entity_list" : "model/relationship_list";
  const { data, error } = useRead(action, { modelRef, expand: "keys" });
  if (!data) return error ? null : <WaitingCell />;
  return formats.number(data.body.items.length);
}
