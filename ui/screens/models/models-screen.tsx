import { Button } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useModelsWords } from "../../words/models.ts";
import { ModelsTable } from "./models-table.tsx";

const CreateModel = openedLater(async () => (await import("./create-model.tsx")).CreateModel);
const ImportModel = openedLater(async () => (await import("./import-model.tsx")).ImportModel);
const EmptyInstance = openedLater(async () => (await import("./empty-instance.tsx")).EmptyInstance);

const route = getRouteApi("/shell/models");

/** All models that the person may read, and the ways to a new one. */
export function Screen(): ReactNode {
  const say = useModelsWords();
  const may = useMay();
  const { do: doing } = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("model/model_list", {});
  const begin = (what: "create" | "import" | undefined): void =>
    void navigate({ search: (before) => ({ ...before, do: what }) });
  const open = (key: string): void => void navigate({ to: "/models/$modelRef", params: { modelRef: keyRef(key) } });
  const isEmpty = read.data?.body.length === 0;
  return (
    <>
      <PageHeader
        title={say("title")}
        actions={
          !isEmpty && (
            <>
              {may("model/import") && (
                <Button
                  variant="default"
                  leftSection={<IconFileImport size={18} stroke={1.6} aria-hidden />}
                  onClick={() => begin("import")}
                >
                  {say("import")}
                </Button>
              )}
              {may("model/model_create") && (
                <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => begin("create")}>
                  {say("create")}
                </Button>
              )}
            </>
          )
        }
      />
      <PageBody>
        <Loaded read={read} skeleton={<TableSkeleton />}>
          {(models) =>
            models.length === 0 ? (
              <EmptyInstance importModel={() => begin("import")} createModel={() => begin("create")} open={open} />
            ) : (
              <ModelsTable models={models} open={open} />
            )
          }
        </Loaded>
      </PageBody>
      {doing === "create" && <CreateModel close={() => begin(undefined)} done={open} />}
      {doing === "import" && <ImportModel close={() => begin(undefined)} open={open} />}
    </>
  );
}
