import { Checkbox } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { useGridWords } from "../../words/grid.ts";
import type { Column, LeaveCell } from "./column.ts";
import styles from "./data-grid.module.css";

/** How a cell is being edited: the text that the field begins with. */
export interface Editing {
  readonly column: number;
  readonly text: string;
}

interface GridRowProps<T> {
  readonly row: T;
  /** The row's place among those shown, from 0. */
  readonly place: number;
  readonly columns: readonly Column<T>[];
  /** The place of the column whose cell takes the Tab key; undefined where it is in another row. */
  readonly active: number | undefined;
  readonly editing: Editing | undefined;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly choose?: ((event: { readonly shiftKey: boolean }) => void) | undefined;
  readonly activate: (column: number) => void;
  readonly begin: (column: number) => void;
  readonly leave: LeaveCell;
  readonly open?: ((column: number) => void) | undefined;
}

/** One row of a grid. */
export function GridRow<T>(props: GridRowProps<T>): ReactNode {
  const { row, place, columns, active, editing, isOpen, isChosen, choose, activate, begin, leave, open } = props;
  const say = useGridWords();
  const clicked = (event: MouseEvent, column: number): void => {
    activate(column);
    const isControl = event.target instanceof Element && event.target.closest("a, button, input, label");
    if (!isControl && globalThis.getSelection()?.isCollapsed !== false) open?.(column);
  };
  return (
    <tr
      data-row
      data-chosen={isChosen || undefined}
      aria-rowindex={place + 2}
      {...(isOpen && { "aria-current": true })}
      {...(choose && { "aria-selected": isChosen })}
      className={open && styles.open}
    >
      {choose && (
        <td className={styles.pick}>
          <Checkbox
            size="xs"
            checked={isChosen}
            aria-label={say("choose", { row: columns[0]?.text(row) ?? "" })}
            onChange={() => undefined}
            onClick={choose}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const isEdited = editing?.column === at && column.edit;
        const text = column.text(row);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the grid
          <td
            key={column.id}
            data-cell={`${place}:${at}`}
            data-align={column.align}
            tabIndex={active === at ? 0 : -1}
            title={column.cell ? undefined : text}
            className={isEdited ? styles.editing : undefined}
            onClick={(event) => clicked(event, at)}
            onDoubleClick={() => begin(at)}
          >
            {isEdited ? (
              <isEdited.field row={row} edit={isEdited} label={column.title} text={editing.text} leave={leave} />
            ) : column.cell ? (
              column.cell(row)
            ) : (
              text
            )}
          </td>
        );
      })}
    </tr>
  );
}
