import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { type Attribute, type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import { forgetModel, sendWrite } from "../../api/writes.ts";
import { useFormats } from "../../words/formats.ts";
import { useStructureWords } from "../../words/structure.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { EmptyState } from "../empty-state.tsx";
import { DataGrid } from "../grid/data-grid.tsx";
import type { GridView } from "../grid/grid-view.ts";
import { openedLater } from "../opened-later.tsx";
import { entryOf, pasteEntries } from "./attribute-batch.ts";
import { useAttributeColumns } from "./attribute-columns.tsx";
import { PASTED, plannedRows } from "./attribute-paste.ts";
import { useRowMoves } from "./use-row-moves.ts";

const CreateAttribute = openedLater(async () => (await import("./create-attribute.tsx")).CreateAttribute);

interface AttributesGridProps {
  readonly owner: AttributeOwner;
  /** The attributes in declared order, and the entity tag of their answer. */
  readonly attributes: readonly Attribute[];
  readonly etag: string | undefined;
  /** Ids of the attributes of the primary key. */
  readonly primaryKey?: ReadonlySet<string>;
  readonly view: GridView;
  readonly setView: (view: GridView) => void;
  /** The key of the attribute that is open beside the table. */
  readonly openKey: string | undefined;
  readonly open: (key: string | undefined) => Promise<void>;
}

const NONE: ReadonlySet<string> = new Set();

/** The attributes of an entity or relationship as a table that is edited like a spreadsheet. */
export function AttributesGrid(props: AttributesGridProps): ReactNode {
  const { owner, attributes, etag, primaryKey = NONE, view, setView, openKey, open } = props;
  const say = useStructureWords();
  const formats = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const actions = attributeActions(owner);
  const refs = ownerRefs(owner);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<{ readonly rows: readonly Attribute[]; readonly clear: () => void }>();
  const types = useRead("model/type_list", { modelRef: owner.modelRef });
  const typeKeys = useMemo(() => new Set(types.data?.body.items.map(({ key }) => key)), [types.data]);
  const mayMove = may(actions.move) && view.q === undefined && view.in === undefined && view.sort === undefined;
  const moves = useRowMoves(owner, attributes, etag, mayMove);
  const columns = useAttributeColumns({ owner, primaryKey, types: types.data?.body.items ?? [], moves, openKey, open });
  const mayCreate = may(actions.create);

  const pasting = mayCreate
    ? {
        columns: PASTED,
        plan: (rows: Parameters<typeof plannedRows>[0]) =>
          plannedRows(rows, attributes, typeKeys, {
            noKey: () => say("noKey"),
            twice: () => say("twice"),
            noType: () => say("noType"),
            noSuchType: (type) => say("noSuchType", { type }),
            notYesNo: (text) => say("notYesNo", { text }),
            changes: (names) => say("changes", { columns: formats.list(names.map((name) => wordOf(name))) }),
          }),
        apply: async (rows: Parameters<typeof pasteEntries>[1]) => {
          await sendWrite("batch/batch_run", {
            input: { actions: pasteEntries(owner, rows, attributes) },
            ifMatch: etag,
          });
          await forgetModel(client, owner.modelRef);
        },
      }
    : undefined;
  const wordOf = (column: (typeof PASTED)[number]): string =>
    say(column === "type" ? "typeOf" : column === "key" ? "key" : column);
  const createButton = mayCreate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {say("addAttribute")}
    </Button>
  );
  return (
    <div onKeyDownCapture={moves.pressed}>
      <DataGrid
        name={`${owner.kind}-attributes`}
        label={say("attributes")}
        rows={attributes}
        idOf={({ id }) => id}
        columns={columns}
        view={view}
        setView={setView}
        open={({ key }) => open(key)}
        openId={attributes.find(({ key }) => key === openKey)?.id}
        pasting={pasting}
        tools={createButton}
        {...(may(actions.delete) && {
          bar: (rows: readonly Attribute[], clear: () => void) => (
            <Button size="compact-sm" color="red" variant="light" onClick={() => setDeleting({ rows, clear })}>
              {say("deleteAttributes", { count: rows.length })}
            </Button>
          ),
        })}
      />
      {attributes.length === 0 && (
        <EmptyState title={say("noAttributes")} text={mayCreate && say("noAttributesText")} />
      )}
      <div role="status" className="visually-hidden">
        {moves.told}
      </div>
      {creating && (
        <CreateAttribute
          owner={owner}
          close={() => setCreating(false)}
          created={(key) => {
            setCreating(false);
            open(key);
          }}
        />
      )}
      {deleting && (
        <ConfirmDelete
          action="batch/batch_run"
          input={{
            actions: deleting.rows.map(({ id }) => entryOf(actions.delete, { ...refs, attributeRef: `id:${id}` })),
          }}
          ifMatch={etag}
          what={say("countedAttributes", { count: deleting.rows.length })}
          close={() => setDeleting(undefined)}
          done={async () => {
            deleting.clear();
            if (deleting.rows.some(({ key }) => key === openKey)) await open(undefined);
            setDeleting(undefined);
          }}
        />
      )}
    </div>
  );
}
