import { Badge, Button, Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Named } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { DefinitionPanel } from "./definition-panel.tsx";
import { NewDefinition } from "./new-definition.tsx";

const propertiesRoute = getRouteApi("/shell/administration/properties");

type Definition = OutputOf<"property/definition_list">["items"][number];

/** The definitions of properties, those that come with the service among them. */
export function PropertiesScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = propertiesRoute.useSearch();
  const navigate = propertiesRoute.useNavigate();
  const read = useRead("property/definition_list", {});
  const columns = useColumns();
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const { definition } = search;
  return (
    <AdministrationFrame
      section="properties"
      panel={
        definition && <DefinitionPanel key={definition} name={definition} close={() => go({ definition: undefined })} />
      }
      actions={
        may("property/definition_create") && (
          <Button onClick={() => go({ do: "create" })}>{say("newDefinition")}</Button>
        )
      }
    >
      <Loaded read={read} skeleton={<TableSkeleton />}>
        {({ items }) => (
          <DataGrid
            name="definitions"
            label={say("properties")}
            rows={items}
            idOf={({ key }) => key}
            columns={columns}
            view={search}
            setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
            open={({ key }) => go({ definition: key })}
            openId={definition}
          />
        )}
      </Loaded>
      {search.do === "create" && (
        <NewDefinition close={() => go({ do: undefined })} made={(key) => go({ do: undefined, definition: key })} />
      )}
    </AdministrationFrame>
  );
}

function useColumns(): readonly Column<Definition>[] {
  const say = useWords("administration");
  return useMemo(
    () => [
      {
        id: "name",
        title: say("name"),
        text: ({ name = "", key }) => `${name} ${key}`,
        cell: ({ name, key }) => <Named name={name} objectKey={key} />,
      },
      {
        id: "kinds",
        title: say("kinds"),
        text: ({ kinds }) => kinds?.map((kind) => kind.replace("_", " ")).join(", ") ?? say("allKinds"),
      },
      { id: "impact", title: say("impact"), width: 140, text: ({ impact }) => say(impact) },
      {
        id: "origin",
        title: say("state"),
        width: 200,
        text: ({ comesWithService }) => (comesWithService ? say("comesWithService") : ""),
        cell: ({ comesWithService }) => (
          <Group gap={4}>
            {comesWithService && (
              <Badge variant="default" tt="none" fw={500}>
                {say("comesWithService")}
              </Badge>
            )}
          </Group>
        ),
      },
    ],
    [say],
  );
}
