import type { ComponentProps, ReactNode } from "react";
import type { Read } from "../../api/reads.ts";
import { LoadedBody } from "../loaded.tsx";
import { TableSkeleton } from "../skeletons.tsx";
import { DataGrid } from "./data-grid.tsx";

interface LoadedGridProps<B, T> extends Omit<ComponentProps<typeof DataGrid<T>>, "rows"> {
  readonly read: Read<B>;
  readonly getRows: (body: B) => readonly T[];
  /** Replaces a grid without rows. */
  readonly empty?: ReactNode;
}

/** Grid of the rows of an answer. */
export function LoadedGrid<B, T>({ read, getRows, empty, ...grid }: LoadedGridProps<B, T>): ReactNode {
  return (
    <LoadedBody read={read} skeleton={<TableSkeleton />}>
      {(body) => {
        const rows = getRows(body);
        return rows.length === 0 && empty ? empty : <DataGrid rows={rows} {...grid} />;
      }}
    </LoadedBody>
  );
}

/** Returns the rows of a list. */
export const getItems = <T,>({ items }: { readonly items: readonly T[] }): readonly T[] => items;

/** Returns the id of a row. */
export const getId = ({ id }: { readonly id: string }): string => id;
