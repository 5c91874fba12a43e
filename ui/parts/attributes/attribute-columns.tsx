import { IconGripVertical, IconKey } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import type { Attribute, AttributeOwner } from "../../api/attributes.ts";
import { attributeActions } from "../../api/attributes.ts";
import { useMay } from "../../api/rights.ts";
import { useStructureWords } from "../../words/structure.ts";
import { summaryOf } from "../constraints/constraint-text.ts";
import { CellEditor } from "../grid/cell-editor.tsx";
import type { CellEdit, Column } from "../grid/column.ts";
import { KeyText } from "../key-text.tsx";
import { TagRow } from "../tag-chip.tsx";
import { useCellSaves } from "./attribute-editing.ts";
import styles from "./attributes.module.css";
import type { RowMoves } from "./use-row-moves.ts";

interface AttributeColumnsOf {
  readonly owner: AttributeOwner;
  readonly primaryKey: ReadonlySet<string>;
  readonly types: readonly { readonly key: string; readonly name?: string | undefined }[];
  readonly moves: RowMoves;
  readonly openKey: string | undefined;
  readonly open: (key: string | undefined) => void;
}

const typeKeyOf = ({ typeByKey = "" }: Attribute): string => typeByKey.replace(/^key:/, "");

/** The columns of a table of attributes, with what saves their cells. */
export function useAttributeColumns(of: AttributeColumnsOf): readonly Column<Attribute>[] {
  const { owner, primaryKey, types, moves, openKey, open } = of;
  const say = useStructureWords();
  const may = useMay();
  const saves = useCellSaves(owner);
  const actions = attributeActions(owner);
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
      text: ({ key }) => key,
      cell: (row) => (
        <span className={styles.key}>
          {moves.isOn && (
            <span
              className={styles.handle}
              title={say("drag", { object: row.key })}
              onPointerDown={(event) => moves.grabbed(event, row)}
              aria-hidden
            >
              <IconGripVertical size={14} />
            </span>
          )}
          <KeyText value={row.key} strong most={28} />
          {primaryKey.has(row.id) && (
            <span title={say("primaryKeyMark")} className={styles.mark}>
              <IconKey size={14} role="img" aria-label={say("primaryKeyMark")} />
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
      text: ({ name }) => name ?? "",
      cell: ({ name = "" }): ReactNode => (
        <span lang="en" dir="auto" title={name}>
          {name}
        </span>
      ),
      ...edit(actions.updateName, saves.name),
    },
    {
      id: "type",
      title: say("typeOf"),
      width: 150,
      text: typeKeyOf,
      cell: (row): ReactNode => (
        <span lang="en" dir="auto" title={typeNames.get(typeKeyOf(row))}>
          <KeyText value={typeKeyOf(row)} strong most={20} />
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
      text: ({ optional }) => say(optional ? "yes" : "no"),
      cell: ({ optional }): ReactNode => (
        <span className={optional ? undefined : styles.no}>{say(optional ? "yes" : "no")}</span>
      ),
      ...edit(actions.updateOptional, saves.optional, {
        text: ({ optional }) => (optional ? "yes" : "no"),
        choices: [
          { value: "no", label: say("no") },
          { value: "yes", label: say("yes") },
        ],
      }),
    },
    {
      id: "constraints",
      title: say("constraints"),
      text: ({ constraints }) => summaryOf(constraints),
      cell: ({ constraints }): ReactNode => {
        const text = summaryOf(constraints);
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
      text: ({ tags }) => tags.map(({ key, name }) => (name ? `${name} ${key}` : key)).join(" "),
      cell: ({ tags }): ReactNode => (
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
      text: ({ description }) => description ?? "",
      cell: ({ description = "" }): ReactNode => (
        <span lang="en" dir="auto" title={description}>
          {description}
        </span>
      ),
      ...edit(actions.updateDescription, saves.description),
    },
  ];
}
