import { Button, Switch } from "@mantine/core";
import { IconGripVertical, IconKey } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { invalidateModel, sendWrite, useWrite } from "../../api/writes.ts";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { summarizeConstraints } from "../constraints/constraint-text.ts";
import { ConfirmDelete } from "../dialogs/confirm-delete.tsx";
import { CreateNamed } from "../dialogs/create-dialog.tsx";
import { EmptyState } from "../empty-state.tsx";
import { CellEditor } from "../grid/cell-editor.tsx";
import type { CellEdit, Column } from "../grid/column.ts";
import { DataGrid } from "../grid/data-grid.tsx";
import { useQueryParameters } from "../grid/use-query-parameters.ts";
import { AddButton } from "../icon-button.tsx";
import { RefPicker } from "../pickers/floating.tsx";
import { TagRow } from "../tag-chip.tsx";
import { KeyText } from "../text/key-text.tsx";
import { useCellSaves } from "./attribute-editing.ts";
import { buildPasteEntries, createBatchEntry, PASTE_COLUMNS, planRows } from "./attribute-paste.ts";
import styles from "./attributes.module.css";
import { type RowMoves, useRowMoves } from "./use-row-moves.ts";

interface AttributesGridProps {
  readonly owner: AttributeOwner;
  readonly attributes: readonly Attribute[];
  readonly etag: string | undefined;
  readonly primaryKey?: ReadonlySet<string>;
  readonly openKey: string | undefined;
  readonly open: (key: string | undefined) => Promise<void>;
}

const NONE: ReadonlySet<string> = new Set();

/** Attributes of an entity or relationship as an editable grid. */
export function AttributesGrid(props: AttributesGridProps): ReactNode {
  const { owner, attributes, etag, primaryKey = NONE, openKey, open } = props;
  const say = useWords("structure");
  const may = useMay();
  const { search: view } = useQueryParameters();
  const actions = getAttributeActions(owner);
  const refs = getOwnerRefs(owner);
  const [isCreating, setIsCreating] = useState(false);
  const [deletion, setDeletion] = useState<{ readonly rows: readonly Attribute[]; readonly clear: () => void }>();
  const types = useRead("model/type_list", { modelRef: owner.modelRef });
  const mayMove = may(actions.move) && view.q === undefined && view.in === undefined && view.sort === undefined;
  const moves = useRowMoves(owner, attributes, etag, mayMove);
  const columns = useAttributeColumns({ owner, primaryKey, types: types.data?.body.items ?? [], moves, openKey, open });
  const mayCreate = may(actions.create);

  const paste = useAttributePaste({ owner, attributes, etag, types: types.data?.body.items });
  const createButton = mayCreate && <AddButton label={say("addAttribute")} run={() => setIsCreating(true)} />;
  return (
    <div onKeyDownCapture={moves.handleKey}>
      <DataGrid
        name={`${owner.kind}-attributes`}
        label={say("attributes")}
        rows={attributes}
        getId={({ id }) => id}
        columns={columns}
        open={({ key }) => open(key)}
        openId={attributes.find(({ key }) => key === openKey)?.id}
        pasting={mayCreate ? paste : undefined}
        tools={createButton}
        {...(may(actions.delete) && {
          renderBar: (rows: readonly Attribute[], clear: () => void) => (
            <Button size="compact-sm" color="red" variant="light" onClick={() => setDeletion({ rows, clear })}>
              {say("deleteAttributes", { count: rows.length })}
            </Button>
          ),
        })}
      />
      {attributes.length === 0 && (
        <EmptyState title={say("noAttributes")} text={mayCreate && say("noAttributesText")} />
      )}
      <div role="status" className="visually-hidden">
        {moves.announcement}
      </div>
      {isCreating && (
        <CreateAttribute
          owner={owner}
          close={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false);
            open(key);
          }}
        />
      )}
      {deletion && (
        <ConfirmDelete
          action="batch/batch_run"
          input={{
            actions: deletion.rows.map(({ id }) =>
              createBatchEntry(actions.delete, { ...refs, attributeRef: `id:${id}` }),
            ),
          }}
          ifMatch={etag}
          what={say("countedAttributes", { count: deletion.rows.length })}
          close={() => setDeletion(undefined)}
          onDone={async () => {
            deletion.clear();
            if (deletion.rows.some(({ key }) => key === openKey)) await open(undefined);
            setDeletion(undefined);
          }}
        />
      )}
    </div>
  );
}

interface CreateAttributeProps {
  readonly owner: AttributeOwner;
  readonly close: () => void;
  readonly onCreated: (key: string) => void;
}

function CreateAttribute({ owner, close, onCreated }: CreateAttributeProps) {
  const say = useWords("structure");
  const [type, setType] = useState("");
  const [optional, setOptional] = useState(true);
  const write = useWrite(getAttributeActions(owner).create);
  return (
    <CreateNamed
      title={say("addAttribute")}
      keyParameter="attributeKey"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({
          input: { ...getOwnerRefs(owner), attributeKey: key, type: toRef(type), optional, ...texts },
        });
        onCreated(key);
      }}
      renderAfter={(faultOf) => (
        <>
          <RefPicker
            kind="type"
            label={say("type")}
            above={{ modelRef: owner.modelRef }}
            value={type}
            onChange={setType}
            error={faultOf("type")}
          />
          <Switch
            label={say("optional")}
            checked={optional}
            onChange={(event) => setOptional(event.currentTarget.checked)}
          />
        </>
      )}
    />
  );
}

interface AttributeColumnsOf {
  readonly owner: AttributeOwner;
  readonly primaryKey: ReadonlySet<string>;
  readonly types: readonly { readonly key: string; readonly name?: string | undefined }[];
  readonly moves: RowMoves;
  readonly openKey: string | undefined;
  readonly open: (key: string | undefined) => void;
}

interface PasteSource extends Pick<AttributesGridProps, "owner" | "attributes" | "etag"> {
  readonly types: AttributeColumnsOf["types"] | undefined;
}

function useAttributePaste({ owner, attributes, etag, types = [] }: PasteSource) {
  const say = useWords("structure");
  const formats = useFormats();
  const client = useQueryClient();
  const getColumnWord = (column: (typeof PASTE_COLUMNS)[number]) =>
    say(column === "type" ? "type" : column === "key" ? "key" : column);
  return {
    columns: PASTE_COLUMNS,
    plan: (rows: Parameters<typeof planRows>[0]) =>
      planRows(rows, attributes, new Set(types.map(({ key }) => key)), {
        noKey: () => say("noKey"),
        twice: () => say("twice"),
        noType: () => say("noType"),
        noSuchType: (type) => say("noSuchType", { type }),
        notYesNo: (text) => say("notYesNo", { text }),
        changes: (names) => say("changes", { columns: formats.formatList(names.map((name) => getColumnWord(name))) }),
      }),
    apply: async (rows: Parameters<typeof buildPasteEntries>[1]) => {
      await sendWrite("batch/batch_run", {
        input: { actions: buildPasteEntries(owner, rows, attributes) },
        ifMatch: etag,
      });
      await invalidateModel(client, owner.modelRef);
    },
  };
}

const getTypeKey = ({ typeByKey = "" }: Attribute) => typeByKey.replace(/^key:/, "");

function useAttributeColumns(input: AttributeColumnsOf): readonly Column<Attribute>[] {
  const { owner, primaryKey, types, moves, openKey, open } = input;
  const say = useWords("structure");
  const may = useMay();
  const saves = useCellSaves(owner);
  const actions = getAttributeActions(owner);
  const typeNames = useMemo(() => new Map(types.map(({ key, name }) => [key, name])), [types]);
  const edit = (
    action: string,
    save: CellEdit<Attribute>["save"],
    more?: Omit<CellEdit<Attribute>, "field" | "save">,
  ) => may(action) && { edit: { field: CellEditor<Attribute>, save, ...more } };
  return [
    {
      id: "key",
      title: say("key"),
      width: 260,
      getText: ({ key }) => key,
      renderCell: (row) => (
        <span className={styles.key}>
          {moves.isOn && (
            <span
              className={styles.handle}
              title={say("drag", { object: row.key })}
              onPointerDown={(event) => moves.startDrag(event, row)}
              aria-hidden
            >
              <IconGripVertical size={14} />
            </span>
          )}
          <KeyText value={row.key} strong most={28} />
          {primaryKey.has(row.id) && (
            <span title={say("inPrimaryKey")} className={styles.mark}>
              <IconKey size={14} role="img" aria-label={say("inPrimaryKey")} />
            </span>
          )}
        </span>
      ),
      ...edit(actions.updateKey, async (row, text) => {
        await saves.key(row, text);
        if (row.key === openKey) open(text);
      }),
    },
    {
      id: "name",
      title: say("name"),
      width: 220,
      getText: ({ name }) => name ?? "",
      isEnglish: true,
      ...edit(actions.updateName, saves.name),
    },
    {
      id: "type",
      title: say("type"),
      width: 150,
      getText: getTypeKey,
      renderCell: (row) => (
        <span lang="en" dir="auto" title={typeNames.get(getTypeKey(row))}>
          <KeyText value={getTypeKey(row)} strong most={20} />
        </span>
      ),
      ...edit(actions.updateType, saves.type, {
        choices: types.map(({ key, name }) => ({
          value: key,
          label: name && name !== key ? `${key} (${name})` : key,
        })),
      }),
    },
    {
      id: "optional",
      title: say("optional"),
      width: 110,
      getText: ({ optional }) => say(optional ? "yes" : "no"),
      renderCell: ({ optional }) => (
        <span className={optional ? undefined : "quiet"}>{say(optional ? "yes" : "no")}</span>
      ),
      ...edit(actions.updateOptional, saves.optional, {
        getText: ({ optional }) => (optional ? "yes" : "no"),
        choices: [
          { value: "no", label: say("no") },
          { value: "yes", label: say("yes") },
        ],
      }),
    },
    {
      id: "constraints",
      title: say("constraints"),
      getText: ({ constraints }) => summarizeConstraints(constraints),
      renderCell: ({ constraints }) => {
        const text = summarizeConstraints(constraints);
        return (
          <span lang="en" dir="auto" title={text} className={styles.constraints}>
            {text}
          </span>
        );
      },
    },
    {
      id: "tags",
      title: say("tags"),
      width: 190,
      getText: ({ tags }) => tags.map(({ key, name }) => (name ? `${name} ${key}` : key)).join(" "),
      renderCell: ({ tags }) => (
        <span className={styles.tags}>
          <TagRow tags={tags} most={2} />
        </span>
      ),
    },
    {
      id: "description",
      title: say("description"),
      width: 280,
      isHidden: true,
      getText: ({ description }) => description ?? "",
      isEnglish: true,
      ...edit(actions.updateDescription, saves.description),
    },
  ];
}
