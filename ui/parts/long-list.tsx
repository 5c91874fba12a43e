import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

const VIRTUAL_FROM = 200;

interface LongListProps<T> {
  readonly rows: readonly T[];
  readonly getId: (row: T) => string;
  readonly renderRow: (row: T, index: number) => ReactNode;
  /** Estimated height of a row in pixels. */
  readonly getHeight: (row: T) => number;
}

/** Rows in the page, one below the other; from 200 rows on, only visible ones are rendered. */
export function LongList<T>(props: LongListProps<T>): ReactNode {
  const { rows, getId, renderRow } = props;
  if (rows.length > VIRTUAL_FROM) return <VirtualList {...props} />;
  return rows.map((row, index) => <div key={getId(row)}>{renderRow(row, index)}</div>);
}

function VirtualList<T>({ rows, getId, renderRow, getHeight }: LongListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const offset = box.current?.getBoundingClientRect().top ?? 0;
    setTop(Math.round(offset + globalThis.scrollY));
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : getHeight(row);
    },
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : getId(row);
    },
    overscan: 12,
    scrollMargin: top,
  });
  return (
    <div ref={box} style={{ height: virtual.getTotalSize(), position: "relative" }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <div
            key={String(key)}
            ref={virtual.measureElement}
            data-index={index}
            style={{ position: "absolute", insetInline: 0, top: 0, transform: `translateY(${start - top}px)` }}
          >
            {renderRow(row, index)}
          </div>
        );
      })}
    </div>
  );
}
