import { Table, type TableProps } from "@mantine/core";
import type { ReactNode } from "react";

interface RowsTableProps<T> extends Pick<TableProps, "aria-label" | "highlightOnHover" | "verticalSpacing"> {
  /** Width in pixels below which the table scrolls. */
  readonly minWidth: number;
  readonly rows: readonly T[];
  /** Functions that render the cells of a row, by the title of their column. */
  readonly cells: Readonly<Record<string, (row: T) => ReactNode>>;
  readonly openId?: string | undefined;
}

/** Plain table of rows; the open one is marked. */
export function RowsTable<T extends { readonly id: string }>(props: RowsTableProps<T>): ReactNode {
  const { minWidth, rows, cells, openId, ...table } = props;
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table {...table}>
        <Table.Thead>
          <Table.Tr>
            {Object.keys(cells).map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} {...(row.id === openId && { bg: "var(--page-chosen)" })}>
              {Object.entries(cells).map(([title, renderCell]) => (
                <Table.Td key={title}>{renderCell(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
