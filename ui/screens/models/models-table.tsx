import { IconCopy, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { WaitingCell } from "../../parts/grid/grid-row.tsx";
import { CopyModel } from "../../parts/model/copy-model.tsx";
import { ActionMenu } from "../../parts/pickers/action-menu.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { Named } from "../../parts/text/key-text.tsx";
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
  const [doing, setDoing] = useState<{ readonly what: "copy" | "delete"; readonly model: ModelRow }>();
  const columns = useModelColumns((what, model) => setDoing({ what, model }));
  const end = (): void => setDoing(undefined);
  return (
    <>
      <DataGrid
        name="models"
        label={say("models")}
        rows={models}
        getId={({ id }) => id}
        columns={columns}
        open={({ key }) => open(key)}
      />
      {doing?.what === "copy" && (
        <CopyModel modelRef={`id:${doing.model.id}`} modelKey={doing.model.key} close={end} onDone={open} />
      )}
      {doing?.what === "delete" && (
        <ConfirmDelete
          action="model/model_delete"
          input={{ modelRef: `id:${doing.model.id}` }}
          what={say("what", { name: doing.model.name || doing.model.key })}
          close={end}
          onDone={async () => end()}
        />
      )}
    </>
  );
}

function useModelColumns(run: (what: "copy" | "delete", model: ModelRow) => void): readonly Column<ModelRow>[] {
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
        <RowMenu model={model} run={run} mayCopy={mayCopy} mayDelete={mayDelete} />
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
            <Named name={name} objectKey={key} />
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

interface RowMenuProps {
  readonly model: ModelRow;
  readonly run: (what: "copy" | "delete", model: ModelRow) => void;
  readonly mayCopy: boolean;
  readonly mayDelete: boolean;
}

function RowMenu({ model, run, mayCopy, mayDelete }: RowMenuProps): ReactNode {
  const say = useWords("models");
  return (
    <ActionMenu
      isQuiet
      label={say("actionsOf", { name: model.name || model.key })}
      actions={[
        ...(mayCopy ? [{ label: say("copy"), icon: IconCopy, run: () => run("copy", model) }] : []),
        ...(mayDelete
          ? [{ label: say("delete"), icon: IconTrash, isDanger: true, run: () => run("delete", model) }]
          : []),
      ]}
    />
  );
}

interface OfModel {
  readonly modelRef: RefText;
}

/** The tags of a model in the list. */
function ModelTags({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  return <TagRow tags={data.body.tags} most={2} />;
}

/** Owner of a model. */
function ModelOwner({ modelRef }: OfModel): ReactNode {
  const { data, error } = useRead("model/model_get", { modelRef });
  if (!data) return error ? null : <WaitingCell />;
  const owner = data.body.properties?.owner;
  return typeof owner === "string" ? <span lang="en">{owner}</span> : null;
}

/** Shows whether a model has changed since its latest release. */
function ModelUnreleased({ modelRef }: OfModel): ReactNode {
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

/** Number of entities or relationships of a model. */
function ModelCount({ modelRef, of }: OfModel & { readonly of: "entity" | "relationship" }): ReactNode {
  const formats = useFormats();
  const action = of === "entity" ? "model/entity_list" : "model/relationship_list";
  const { data, error } = useRead(action, { modelRef, expand: "keys" });
  if (!data) return error ? null : <WaitingCell />;
  return formats.formatNumber(data.body.items.length);
}
