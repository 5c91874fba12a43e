import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { WaitingCell } from "../../parts/grid/grid-row.tsx";
import { useModelActions } from "../../parts/model/model-actions.tsx";
import { ActionMenu } from "../../parts/pickers/action-menu.tsx";
import type { MenuAction } from "../../parts/pickers/floating.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { ObjectName } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";

type ModelRow = OutputOf<"model/model_list">[number];

interface ModelsTableProps {
  readonly models: readonly ModelRow[];
  readonly open: (key: string) => void;
}

/** Table of the models with the actions on each. */
export function ModelsTable({ models, open }: ModelsTableProps): ReactNode {
  const say = useWords("models");
  const { listActions, dialog } = useModelActions({ open, onDeleted: async () => undefined });
  return (
    <>
      <DataGrid
        name="models"
        label={say("models")}
        rows={models}
        getId={({ id }) => id}
        columns={useModelColumns(listActions)}
        open={({ key }) => open(key)}
      />
      {dialog}
    </>
  );
}

function useModelColumns(listActions: (model: ModelRow) => readonly MenuAction[]): readonly Column<ModelRow>[] {
  const say = useWords("models");
  const may = useMay();
  const [mayCopy, mayDelete] = [may("model/model_copy"), may("model/model_delete")];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the action does the same in every render
  return useMemo(() => {
    const renderFact = (
      id: string,
      title: string,
      width: number,
      cell: (model: ModelRow) => ReactNode,
    ): Column<ModelRow> => ({
      id,
      title,
      width,
      getText: () => "",
      renderCell: cell,
      isOpaque: true,
      isRead: true,
    });
    const menu: Column<ModelRow> = {
      ...renderFact("actions", say("actions"), 72, (model) => (
        <ActionMenu isQuiet label={say("actionsOf", { name: model.name || model.key })} actions={listActions(model)} />
      )),
      isRead: false,
    };
    return [
      {
        id: "name",
        title: say("name"),
        getText: ({ name, key }) => `${name} ${key}`,
        renderCell: ({ name, key }) => (
          <Link
            to="/models/$modelRef"
            params={{ modelRef: toKeyRef(key) }}
            style={{ color: "inherit", textDecoration: "none" }}
            tabIndex={-1}
          >
            <ObjectName name={name} objectKey={key} />
          </Link>
        ),
      },
      { id: "version", title: say("version"), getText: ({ version }) => version, width: 76 },
      {
        ...renderFact("unreleased", say("unreleased"), 96, ({ id }) => <ModelUnreleased modelRef={`id:${id}`} />),
        align: "end",
      },
      { id: "authority", title: say("authority"), getText: ({ authority }) => say(authority), width: 88 },
      {
        ...renderFact("entities", say("entities"), 76, ({ id }) => <ModelCount modelRef={`id:${id}`} of="entity" />),
        align: "end",
      },
      {
        ...renderFact("relationships", say("relationships"), 120, ({ id }) => (
          <ModelCount modelRef={`id:${id}`} of="relationship" />
        )),
        align: "end",
        isHidden: true,
      },
      renderFact("tags", say("tags"), 200, ({ id }) => <ModelTags modelRef={`id:${id}`} />),
      renderFact("owner", say("owner"), 116, ({ id }) => <ModelOwner modelRef={`id:${id}`} />),
      ...(mayCopy || mayDelete ? [menu] : []),
    ];
  }, [say, mayCopy, mayDelete]);
}

interface OfModel {
  readonly modelRef: RefText;
}

function ModelTags({ modelRef }: OfModel) {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  return <TagRow tags={data.body.tags} most={2} />;
}

function ModelOwner({ modelRef }: OfModel) {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  const owner = data.body.properties?.owner;
  return typeof owner === "string" ? <span lang="en">{owner}</span> : null;
}

function ModelUnreleased({ modelRef }: OfModel) {
  const say = useWords("models");
  const formats = useFormats();
  const model = useRead("model/model_get", { modelRef });
  const versions = useRead("model/history_versions", { modelRef, limit: 1 });
  if (!model.data || !versions.data) return model.error || versions.error ? null : <WaitingCell />;
  const count = model.data.body.revision - (versions.data.body.items[0]?.revision ?? 0);
  return count > 0 ? (
    <span title={say("changes", { count })}>{formats.formatNumber(count)}</span>
  ) : (
    <span style={{ color: "var(--mantine-color-dimmed)" }}>–</span>
  );
}

function ModelCount({ modelRef, of }: OfModel & { readonly of: "entity" | "relationship" }) {
  const formats = useFormats();
  const action = of === "entity" ? "model/entity_list" : "model/relationship_list";
  const { data, error } = useRead(action, { modelRef, expand: "keys" });
  if (!data) return error ? null : <WaitingCell />;
  return formats.formatNumber(data.body.items.length);
}
