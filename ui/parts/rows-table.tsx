import { Button, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/words.ts";

interface RowsTableProps<T> {
  readonly label: string;
  /** Width in pixels below which the table scrolls. */
  readonly minWidth: number;
  readonly rows: readonly T[];
  /** Functions that render the cells of a row, by the title of their column. */
  readonly cells: Readonly<Record<string, (row: T) => ReactNode>>;
  /** Opens the details of a row, by a button in the last column. */
  readonly open: (id: string) => void;
  readonly openId: string | undefined;
}

/** Plain table of rows; the open one is marked. */
export function RowsTable<T extends { readonly id: string }>(props: RowsTableProps<T>): ReactNode {
  const { label, minWidth, rows, open, openId } = props;
  const say = useWords("frame");
  const renderDetails = ({ id }: T) => (
    <Button size="compact-sm" variant="subtle" onClick={() => open(id)}>
      {say("details")}
    </Button>
  );
  const cells = { ...props.cells, [say("details")]: renderDetails };
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table highlightOnHover aria-label={label}>
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
