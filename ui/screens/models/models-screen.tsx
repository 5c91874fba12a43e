import content from "@examples/library/datapackage.json";
import { Button, Text, Title } from "@mantine/core";
import { IconBook2, IconFileImport, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { toKeyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { AddButton } from "../../parts/icon-button.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Columns, PageBody, PageHeader } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import { ImportModel, suggestKey } from "./import-model.tsx";
import styles from "./models.module.css";
import { ModelsTable } from "./models-table.tsx";

const route = getRouteApi("/shell/models");

/** All models that the person may read, and the ways to create one. */
export function ModelsScreen(): ReactNode {
  const say = useWords("models");
  const may = useMay();
  const { do: dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("model/model_list", {});
  const begin = (name: "create" | "import" | undefined) =>
    void navigate({ search: (before) => ({ ...before, do: name }) });
  const open = (key: string) => void navigate({ to: "/models/$modelRef", params: { modelRef: toKeyRef(key) } });
  const isEmpty = read.data?.body.length === 0;
  return (
    <>
      <PageHeader
        title={say("models")}
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
              {may("model/model_create") && <AddButton label={say("create")} run={() => begin("create")} />}
            </>
          )
        }
      />
      <PageBody>
        <LoadedBody read={read} skeleton={<TableSkeleton />}>
          {(models) =>
            models.length === 0 ? (
              <EmptyInstance importModel={() => begin("import")} createModel={() => begin("create")} open={open} />
            ) : (
              <ModelsTable models={models} open={open} />
            )
          }
        </LoadedBody>
      </PageBody>
      {dialog === "create" && <CreateModel close={() => begin(undefined)} onDone={open} />}
      {dialog === "import" && <ImportModel close={() => begin(undefined)} open={open} />}
    </>
  );
}

interface CreateModelProps {
  readonly close: () => void;
  readonly onDone: (key: string) => void;
}

function CreateModel({ close, onDone }: CreateModelProps) {
  const say = useWords("models");
  const write = useWrite("model/model_create");
  return (
    <FormDialog
      title={say("create")}
      submit={say("create")}
      fields={{
        name: { label: say("name"), required: true, maxLength: 200 },
        key: { label: say("key"), description: say("keyText"), required: true, maxLength: 128 },
        description: { label: say("description"), description: say("markdown"), isLong: true },
        version: { label: say("firstVersion"), placeholder: "0.0.1" },
      }}
      complete={(texts) => ({ ...texts, key: texts.key || suggestKey(texts.name) })}
      write={write}
      send={(input) => write.mutate({ input }, { onSuccess: () => onDone(input.key) })}
      close={close}
    />
  );
}

interface EmptyInstanceProps {
  readonly importModel: () => void;
  readonly createModel: () => void;
  readonly open: (key: string) => void;
}

function EmptyInstance({ importModel, createModel, open }: EmptyInstanceProps) {
  const say = useWords("models");
  const may = useMay();
  const write = useWrite("model/import");
  // The list of models replaces this component before the write ends, which drops callbacks of `mutate`.
  const startFromExample = (): Promise<void> =>
    write.mutateAsync({ input: { content } }).then(
      ({ body }) => open(body.key),
      () => undefined,
    );
  const mayImport = may("model/import");
  const mayCreate = may("model/model_create");
  if (!mayImport && !mayCreate) return <EmptyState title={say("emptyTitle")} text={say("emptyNoRight")} />;
  const renderOption = (
    Icon: ComponentType<{ size: number; stroke: number }>,
    title: string,
    text: string,
    button: ReactNode,
  ) => (
    <section className={styles.way}>
      <Icon size={24} stroke={1.5} aria-hidden />
      <Title order={3}>{title}</Title>
      <p className="note">{text}</p>
      {button}
    </section>
  );
  return (
    <div className={styles.empty}>
      <Title order={2}>{say("emptyTitle")}</Title>
      <Text c="dimmed" mb="lg">
        {say("emptyText")}
      </Text>
      {write.error && <ProblemBox problem={write.error} />}
      <Columns>
        {mayImport &&
          renderOption(
            IconFileImport,
            say("wayImport"),
            say("wayImportText"),
            <Button onClick={importModel}>{say("import")}</Button>,
          )}
        {mayImport &&
          renderOption(
            IconBook2,
            say("wayExample"),
            say("wayExampleText"),
            <Button variant="default" loading={write.isPending} onClick={() => void startFromExample()}>
              {say("startExample")}
            </Button>,
          )}
        {mayCreate &&
          renderOption(
            IconPlus,
            say("wayCreate"),
            say("wayCreateText"),
            <Button variant="default" onClick={createModel}>
              {say("create")}
            </Button>,
          )}
      </Columns>
    </div>
  );
}
