import { Button, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ClipboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../words/words.ts";
import { EmptyState } from "../empty-state.tsx";
import { downloadFile } from "../formats/download.ts";
import type { Column } from "./column.ts";
import styles from "./data-grid.module.css";
import { GridHeader } from "./grid-header.tsx";
import { GridRow, type RowActs } from "./grid-row.tsx";
import { GridTools } from "./grid-tools.tsx";
import { arrangeRows } from "./grid-view.ts";
import { PasteDialog } from "./paste-dialog.tsx";
import { formatCsv, formatTsv, type Pasting } from "./paste-rows.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useQueryParameters } from "./use-query-parameters.ts";

const VIRTUAL_FROM = 200;
const ROW_HEIGHT = 36;

interface DataGridProps<T> {
  /** Identifier of the grid in the browser storage, and name of its exported file. */
  readonly name: string;
  readonly label: string;
  readonly rows: readonly T[];
  readonly getId: (row: T) => string;
  /** The first column names the row and cannot be hidden. */
  readonly columns: readonly Column<T>[];
  readonly open?: (row: T) => void;
  readonly openId?: string | undefined;
  /** Actions on the selected rows; enables selection. */
  readonly renderBar?: (chosenRows: readonly T[], clear: () => void) => ReactNode;
  readonly pasting?: Pasting | undefined;
  readonly tools?: ReactNode;
}

/** Table that works like a spreadsheet; its filters and its order are in the address. */
export function DataGrid<T>(props: DataGridProps<T>): ReactNode {
  const { name, label, rows, getId, columns: all, open, openId, renderBar, pasting, tools } = props;
  const say = useWords("grid");
  const { search: view, change } = useQueryParameters();
  const scroller = useRef<HTMLDivElement>(null);
  const [idList, setIdList] = useLocalStorage<readonly string[]>({
    key: `metaction.columns.${name}`,
    defaultValue: all.filter((column) => column.isHidden).map(({ id }) => id),
    getInitialValueInEffect: false,
  });
  const [hasFilters, setHasFilters] = useState(view.in !== undefined);
  const [pastedText, setPastedText] = useState<string>();
  const hiddenIds = useMemo(() => new Set(idList), [idList]);
  const columns = useMemo(() => all.filter(({ id }, at) => at === 0 || !hiddenIds.has(id)), [all, hiddenIds]);
  const gridRows = useMemo(() => arrangeRows(rows, all, view), [rows, all, view]);
  const choice = useChoice(gridRows.map(getId));
  const chosenRows = rows.filter((row) => choice.ids.has(getId(row)));
  const isVirtual = gridRows.length > VIRTUAL_FROM;
  const virtual = useVirtualizer({
    count: gridRows.length,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const keys = useGridKeys({
    scroller,
    rows: gridRows,
    columns,
    open,
    reveal: (row) => isVirtual && virtual.scrollToIndex(row),
    choose: renderBar && ((row) => choice.toggle(getId(row), false)),
  });
  const acts = useNewest<RowActs>({
    choose: (index, shiftKey) => {
      const row = gridRows[index];
      if (row !== undefined) choice.toggle(getId(row), shiftKey);
    },
    activate: (row, column) => keys.activate({ row, column }),
    begin: (row, column) => keys.begin({ row, column }),
    leave: keys.leave,
    open: (index, column) => {
      const row = gridRows[index];
      // A click on an editable cell only activates it, unless a panel is open.
      if (row !== undefined && (column === 0 || openId !== undefined || !columns[column]?.edit)) open?.(row);
    },
  });
  const items = virtual.getVirtualItems();
  const indices = isVirtual ? items.map(({ index }) => index) : gridRows.map((_, at) => at);
  const [above, below] = isVirtual ? [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)] : [0, 0];
  const texts = columns.filter(({ isOpaque }) => !isOpaque);
  const toCells = (list: readonly T[]) => list.map((row) => texts.map((column) => column.getText(row)));
  const chosenCount = gridRows.filter((row) => choice.ids.has(getId(row))).length;
  const copySelection = (event: ClipboardEvent) => {
    if (isField(event.target) || globalThis.getSelection()?.isCollapsed === false) return;
    const cell = keys.active && gridRows[keys.active.row];
    if (!cell && chosenRows.length === 0) return;
    const column = columns[keys.active?.column ?? 0];
    event.clipboardData.setData(
      "text/plain",
      chosenRows.length > 0 || !cell ? formatTsv(toCells(chosenRows)) : (column?.getText(cell) ?? ""),
    );
    event.preventDefault();
  };
  const pasteCells = (event: ClipboardEvent) => {
    if (!pasting || isField(event.target)) return;
    event.preventDefault();
    setPastedText(event.clipboardData.getData("text/plain"));
  };
  const renderSpacer = (height: number) =>
    height > 0 && (
      <tr aria-hidden>
        <td className={styles.spacer} colSpan={columns.length + (renderBar ? 1 : 0)} style={{ height }} />
      </tr>
    );

  return (
    <section className={styles.frame} aria-label={label}>
      <GridTools
        columns={all}
        hiddenIds={hiddenIds}
        toggleColumn={(id) => setIdList(hiddenIds.has(id) ? idList.filter((one) => one !== id) : [...idList, id])}
        hasFilters={hasFilters}
        toggleFilters={() => setHasFilters(!hasFilters)}
        counts={{ shown: gridRows.length, all: rows.length }}
        exportRows={() =>
          downloadFile(`${name}.csv`, "text/csv", formatCsv([texts.map(({ title }) => title), ...toCells(gridRows)]))
        }
        paste={pasting && (() => setPastedText(""))}
      >
        {tools}
      </GridTools>
      {renderBar && chosenRows.length > 0 && (
        <div className={styles.bar} role="toolbar" aria-label={say("chosen", { count: chosenRows.length })}>
          <Text fw={500}>{say("chosen", { count: chosenRows.length })}</Text>
          {renderBar(chosenRows, choice.clear)}
          <Button variant="subtle" color="gray" size="compact-sm" onClick={choice.clear}>
            {say("clear")}
          </Button>
        </div>
      )}
      <div className={styles.scroller} ref={scroller} onCopy={copySelection} onPaste={pasteCells}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keyboard navigation is a grid
          role="grid"
          aria-label={label}
          aria-rowcount={gridRows.length + 1}
          {...(renderBar && { "aria-multiselectable": true })}
          className={styles.table}
          style={{
            minWidth: columns.reduce(
              (sum, { width }, at) => sum + (width ?? (at === 0 ? 260 : 160)),
              renderBar ? 40 : 0,
            ),
          }}
          onKeyDown={keys.handleKey}
        >
          <colgroup>
            {renderBar && <col style={{ width: 40 }} />}
            {columns.map(({ id, width }) => (
              <col key={id} {...(width !== undefined && { style: { width } })} />
            ))}
          </colgroup>
          <GridHeader
            columns={columns}
            hasFilters={hasFilters}
            all={
              renderBar && {
                state: chosenCount === 0 ? "none" : chosenCount === gridRows.length ? "all" : "some",
                toggle: choice.toggleAll,
              }
            }
          />
          <tbody>
            {renderSpacer(above)}
            {indices.map((index) => {
              const row = gridRows[index];
              if (row === undefined) return null;
              const id = getId(row);
              return (
                <GridRow
                  key={id}
                  row={row}
                  index={index}
                  columns={columns}
                  active={(keys.active?.row ?? 0) === index ? (keys.active?.column ?? 0) : undefined}
                  editing={keys.active?.row === index ? keys.editing : undefined}
                  isOpen={openId === id}
                  isChosen={choice.ids.has(id)}
                  canChoose={renderBar !== undefined}
                  canOpen={open !== undefined}
                  acts={acts}
                />
              );
            })}
            {renderSpacer(below)}
          </tbody>
        </table>
        {gridRows.length === 0 && rows.length > 0 && (
          <EmptyState
            title={say("none")}
            action={
              <Button variant="default" onClick={() => void change({ q: undefined, in: undefined }, { replace: true })}>
                {say("clearFilter")}
              </Button>
            }
          />
        )}
      </div>
      {pasting && pastedText !== undefined && (
        <PasteDialog pasting={pasting} columns={all} text={pastedText} close={() => setPastedText(undefined)} />
      )}
    </section>
  );
}

function isField(target: EventTarget) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

type Functions<T> = { readonly [K in keyof T]: (...args: never[]) => unknown };

/** Returns a stable object whose functions call the newest versions given, for components that render once. */
function useNewest<T extends Functions<T>>(newest: T): T {
  const current = useRef(newest);
  useLayoutEffect(() => {
    current.current = newest;
  });
  const [same] = useState(() => {
    const names = Object.keys(newest) as (keyof T)[];
    const calls = names.map((name) => [name, (...args: never[]) => current.current[name](...args)]);
    return Object.fromEntries(calls) as T;
  });
  return same;
}

interface Choice {
  readonly ids: ReadonlySet<string>;
  /** Selects or deselects a row; with Shift all rows since the last one. */
  toggle(id: string, shiftKey: boolean): void;
  toggleAll(): void;
  clear(): void;
}

function useChoice(visibleIds: readonly string[]): Choice {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  return {
    ids,
    toggle: (id, shiftKey) => {
      const next = new Set(ids);
      const isChosen = !ids.has(id);
      const [from, to] = [last.current === undefined ? -1 : visibleIds.indexOf(last.current), visibleIds.indexOf(id)];
      const range = shiftKey && from >= 0 ? visibleIds.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      for (const one of range) isChosen ? next.add(one) : next.delete(one);
      last.current = id;
      setIds(next);
    },
    toggleAll: () => setIds(visibleIds.every((id) => ids.has(id)) ? new Set() : new Set(visibleIds)),
    clear: () => setIds(new Set()),
  };
}
