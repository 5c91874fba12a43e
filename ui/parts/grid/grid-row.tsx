import { Checkbox } from "@mantine/core";
import { type MouseEvent, memo, type ReactNode, useEffect, useState } from "react";
import { useWords } from "../../words/words.ts";
import type { Column, LeaveCell } from "./column.ts";
import styles from "./data-grid.module.css";

/** How a cell is being edited: the text that the field begins with. */
export interface Editing {
  readonly column: number;
  readonly text: string;
}

/** What can be done at the rows of a grid, by their places. */
export interface RowActs {
  choose(place: number, shiftKey: boolean): void;
  activate(place: number, column: number): void;
  begin(place: number, column: number): void;
  readonly leave: LeaveCell;
  open(place: number, column: number): void;
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
  readonly canChoose: boolean;
  readonly canOpen: boolean;
  /** The same object all the time, so that a row is drawn again only where something of it is another. */
  readonly acts: RowActs;
}

function Row<T>(props: GridRowProps<T>): ReactNode {
  const { row, place, columns, active, editing, isOpen, isChosen, canChoose, canOpen, acts } = props;
  const say = useWords("grid");
  const isStaying = useStaying(columns.some(({ isRead }) => isRead));
  const handleClick = (event: MouseEvent, column: number): void => {
    acts.activate(place, column);
    const isControl = event.target instanceof Element && event.target.closest("a, button, input, label");
    if (canOpen && !isControl && globalThis.getSelection()?.isCollapsed !== false) acts.open(place, column);
  };
  return (
    <tr
      data-row
      data-chosen={isChosen || undefined}
      aria-rowindex={place + 2}
      {...(isOpen && { "aria-current": true })}
      {...(canChoose && { "aria-selected": isChosen })}
      {...(canOpen && { className: styles.open })}
    >
      {canChoose && (
        <td className={styles.pick}>
          <Checkbox
            size="xs"
            checked={isChosen}
            aria-label={say("choose", { row: columns[0]?.text(row) ?? "" })}
            onChange={() => undefined}
            onClick={({ shiftKey }) => acts.choose(place, shiftKey)}
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
            onClick={(event) => handleClick(event, at)}
            onDoubleClick={() => acts.begin(place, at)}
          >
            {isEdited ? (
              <isEdited.field row={row} edit={isEdited} label={column.title} text={editing.text} leave={acts.leave} />
            ) : column.isRead && !isStaying ? (
              <WaitingCell />
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

/** One row of a grid; drawn again only where what it is given is another. */
// The types of `memo` leave those of a component's props open that are chosen where it is used.
export const GridRow = memo(Row) as typeof Row;

/** Milliseconds that a row has to be in sight before its cells read: rows that are scrolled past are not asked for. */
const PATIENCE = 150;

/** Rows that wait for their turn, in the order in which they came. */
const waiting = new Set<() => void>();
let isTaking = false;

/** Lets the rows have their turns one at a time: the page answers in between, however many came into sight together. */
function takeTurns(): void {
  const [first] = waiting;
  isTaking = first !== undefined;
  if (!first) return;
  waiting.delete(first);
  first();
  setTimeout(takeTurns);
}

function waitForTurn(turn: () => void): void {
  waiting.add(turn);
  if (!isTaking) takeTurns();
}

/** Whether a row has stayed in sight since it was drawn; false for ever where nobody asks. */
function useStaying(isAsked: boolean): boolean {
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const turn = (): void => setStaying(true);
    const timer = setTimeout(() => waitForTurn(turn), PATIENCE);
    return () => {
      clearTimeout(timer);
      waiting.delete(turn);
    };
  }, [isAsked]);
  return isStaying;
}

/** Stands in a cell until what it shows was read. */
export function WaitingCell(): ReactNode {
  return <span className={styles.waiting} />;
}
