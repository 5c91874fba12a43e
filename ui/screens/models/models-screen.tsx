import { Table, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Named } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useModelsWords } from "../../words/models.ts";

const route = getRouteApi("/shell/models");

/** All models that the person may read. */
export function Screen(): ReactNode {
  const say = useModelsWords();
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("model/model_list", {});
  return (
    <>
      <PageHeader title={say("title")} />
      <div style={{ padding: "0 24px 24px" }}>
        <TextInput
          value={q}
          maw={360}
          mb="md"
          placeholder={say("search")}
          aria-label={say("search")}
          onChange={(event) => void navigate({ search: { q: event.currentTarget.value || undefined }, replace: true })}
        />
        <Loaded read={read} skeleton={<TableSkeleton />}>
          {(models) => <ModelRows models={models} sought={q} />}
        </Loaded>
      </div>
    </>
  );
}

interface ModelRowsProps {
  readonly models: OutputOf<"model/model_list">;
  readonly sought: string;
}

function ModelRows({ models, sought }: ModelRowsProps): ReactNode {
  const say = useModelsWords();
  const fits = (text: string): boolean => text.toLowerCase().includes(sought.toLowerCase());
  const rows = models.filter(({ key, name }) => fits(key) || fits(name));
  if (models.length === 0) return <EmptyState title={say("emptyTitle")} text={say("emptyText")} />;
  if (rows.length === 0) return <EmptyState title={say("none", { text: sought })} />;
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say("name")}</Table.Th>
          <Table.Th>{say("version")}</Table.Th>
          <Table.Th>{say("authority")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ id, key, name, version, authority }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Named name={name} objectKey={key} />
            </Table.Td>
            <Table.Td>{version}</Table.Td>
            <Table.Td>{say(authority)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
