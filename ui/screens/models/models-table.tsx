import { IconCopy, IconTrash } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ActionMenu } from "../../parts/action-menu.tsx";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Named } from "../../parts/key-text.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { useModelsWords } from "../../words/models.ts";
import { ModelCount, ModelOwner, ModelTags, ModelUnreleased } from "./row-facts.tsx";

const CopyModel = openedLater(async () => (await import("../../parts/copy-model.tsx")).CopyModel);

const route = getRouteApi("/shell/models");

type ModelRow = OutputOf<"model/model_list">[number];

interface ModelsTableProps {
  readonly models: readonly ModelRow[];
  readonly open: (key: string) => void;
}

/** The models as a table, with what can be done to each. */
export function ModelsTable({ models, open }: ModelsTableProps): ReactNode {
  const say = useModelsWords();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const [doing, setDoing] = useState<{ readonly what: "copy" | "delete"; readonly model: ModelRow }>();
  const columns = useModelColumns((what, model) => setDoing({ what, model }));
  const end = (): void => setDoing(undefined);
  return (
    <>
      <DataGrid
        name="models"
        label={say("title")}
        rows={models}
        idOf={({ id }) => id}
        columns={columns}
        open={({ key }) => open(key)}
        view={view}
        setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
      />
      {doing?.what === "copy" && (
        <CopyModel modelRef={`id:${doing.model.id}`} modelKey={doing.model.key} close={end} done={open} />
      )}
      {doing?.what === "delete" && (
        <ConfirmDelete
          action="model/model_delete"
          input={{ modelRef: `id:${doing.model.id}` }}
          what={say("what", { name: doing.model.name || doing.model.key })}
          close={end}
          done={async () => end()}
        />
      )}
    </>
  );
}

function useModelColumns(run: (what: "copy" | "delete", model: ModelRow) => void): readonly Column<ModelRow>[] {
  const say = useModelsWords();
  const may = useMay();
  const [mayCopy, mayDelete] = [may("model/model_copy"), may("model/model_delete")];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what runs is the same whenever it is asked
  return useMemo(() => {
    const fact = (
      id: string,
      title: string,
      width: number,
      cell: (model: ModelRow) => ReactNode,
    ): Column<ModelRow> => ({
      id,
      title,
      width,
      text: () => "",
      cell,
      isOpaque: true,
      isRead: true,
    });
    const menu: Column<ModelRow> = {
      ...fact("actions", say("actions"), 72, (model) => (
        <RowMenu model={model} run={run} mayCopy={mayCopy} mayDelete={mayDelete} />
      )),
      isRead: false,
    };
    return [
      {
        id: "name",
        title: say("name"),
        text: ({ name, key }) => `${name} ${key}`,
        cell: ({ name, key }) => (
          <Link
            to="/models/$modelRef"
            params={{ modelRef: keyRef(key) }}
            style={{ color: "inherit", textDecoration: "none" }}
            tabIndex={-1}
          >
            <Named name={name} objectKey={key} />
          </Link>
        ),
      },
      { id: "version", title: say("version"), text: ({ version }) => version, width: 76 },
      {
        ...fact("unreleased", say("unreleased"), 96, ({ id }) => <ModelUnreleased modelRef={`id:${id}`} />),
        align: "end",
      },
      { id: "authority", title: say("authority"), text: ({ authority }) => say(authority), width: 88 },
      {
        ...fact("entities", say("count_entities"), 76, ({ id }) => <ModelCount modelRef={`id:${id}`} of="entity" />),
        align: "end",
      },
      {
        ...fact("relationships", say("count_relationships"), 120, ({ id }) => (
          <ModelCount modelRef={`id:${id}`} of="relationship" />
        )),
        align: "end",
        isHidden: true,
      },
      fact("tags", say("count_tags"), 200, ({ id }) => <ModelTags modelRef={`id:${id}`} />),
      fact("owner", say("owner"), 116, ({ id }) => <ModelOwner modelRef={`id:${id}`} />),
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
  const say = useModelsWords();
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
