import { Checkbox } from "@mantine/core";
import { type MouseEvent, memo, type ReactNode, useEffect, useState } from "react";
import { useWords } from "../../words/words.ts";
import type { Column, LeaveCell } from "./column.ts";
import styles from "./data-grid.module.css";

/** State of an edited cell: the initial text of its field. */
export interface Editing {
  readonly column: number;
  readonly text: string;
}

/** Actions on rows and cells by position. */
export interface RowActs {
  choose(index: number, shiftKey: boolean): void;
  activate(index: number, column: number): void;
  begin(index: number, column: number): void;
  readonly leave: LeaveCell;
  open(index: number, column: number): void;
}

interface GridRowProps<T> {
  readonly row: T;
  /** Position among the visible rows, counted from 0. */
  readonly index: number;
  readonly columns: readonly Column<T>[];
  /** Position of the column with the tab stop; undefined if it is in another row. */
  readonly active: number | undefined;
  readonly editing: Editing | undefined;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly canChoose: boolean;
  readonly canOpen: boolean;
  /** A stable object, so that a row renders again only when its own data changes. */
  readonly acts: RowActs;
}

function Row<T>(props: GridRowProps<T>) {
  const { row, index, columns, active, editing, isOpen, isChosen, canChoose, canOpen, acts } = props;
  const say = useWords("grid");
  const isVisible = useVisible(columns.some(({ isRead }) => isRead));
  const handleClick = (event: MouseEvent, column: number) => {
    acts.activate(index, column);
    const isControl = event.target instanceof Element && event.target.closest("a, button, input, label");
    if (canOpen && !isControl && globalThis.getSelection()?.isCollapsed !== false) acts.open(index, column);
  };
  return (
    <tr
      data-row
      data-chosen={isChosen || undefined}
      aria-rowindex={index + 2}
      {...(isOpen && { "aria-current": true })}
      {...(canChoose && { "aria-selected": isChosen })}
      {...(canOpen && { className: styles.open })}
    >
      {canChoose && (
        <td className={styles.pick}>
          <Checkbox
            size="xs"
            checked={isChosen}
            aria-label={say("choose", { row: columns[0]?.getText(row) ?? "" })}
            onChange={() => undefined}
            onClick={({ shiftKey }) => acts.choose(index, shiftKey)}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const isEdited = editing?.column === at && column.edit;
        const text = column.getText(row);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
          <td
            key={column.id}
            data-cell={`${index}:${at}`}
            data-align={column.align}
            tabIndex={active === at ? 0 : -1}
            title={column.renderCell ? undefined : text}
            className={isEdited ? styles.editing : undefined}
            onClick={(event) => handleClick(event, at)}
            onDoubleClick={() => acts.begin(index, at)}
          >
            {isEdited ? (
              <isEdited.field row={row} edit={isEdited} label={column.title} text={editing.text} leave={acts.leave} />
            ) : column.isRead && !isVisible ? (
              <WaitingCell />
            ) : column.renderCell ? (
              column.renderCell(row)
            ) : column.isEnglish ? (
              <bdi lang="en">{text}</bdi>
            ) : (
              text
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** A row of a grid; renders again only when its properties change. */
// The types of `memo` lose the type parameters of a component.
export const GridRow = memo(Row) as typeof Row;

/** Milliseconds that a row must be visible before its cells read; rows that are scrolled past read nothing. */
const MIN_VISIBLE = 150;

const waiters = new Set<() => void>();
let isRunningQueue = false;

/** Lets waiting rows read one after the other, so that the page stays responsive. */
function runQueue() {
  const [first] = waiters;
  isRunningQueue = first !== undefined;
  if (!first) return;
  waiters.delete(first);
  first();
  setTimeout(runQueue);
}

function waitInQueue(read: () => void) {
  waiters.add(read);
  if (!isRunningQueue) runQueue();
}

/** Returns true once a row has been visible for a moment after rendering; always false if not asked. */
function useVisible(isAsked: boolean) {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const read = () => setVisible(true);
    const timer = setTimeout(() => waitInQueue(read), MIN_VISIBLE);
    return () => {
      clearTimeout(timer);
      waiters.delete(read);
    };
  }, [isAsked]);
  return isVisible;
}

/** Placeholder of a cell until its content is read. */
export function WaitingCell(): ReactNode {
  return <span className={styles.waiting} />;
}
