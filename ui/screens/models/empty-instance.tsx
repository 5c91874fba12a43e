import { Button, SimpleGrid, Text, Title } from "@mantine/core";
import { IconBook2, IconFileImport, IconPlus } from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useModelsWords } from "../../words/models.ts";
import styles from "./empty-instance.module.css";

interface EmptyInstanceProps {
  readonly importModel: () => void;
  readonly createModel: () => void;
  /** Opens the model that was made of the example. */
  readonly open: (key: string) => void;
}

/** Stands where no model is: import one, start from the example, or create one by hand. */
export function EmptyInstance({ importModel, createModel, open }: EmptyInstanceProps): ReactNode {
  const say = useModelsWords();
  const may = useMay();
  const write = useWrite("model/import");
  const [problem, setProblem] = useState<unknown>();
  const startFromExample = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const { default: content } = await import("@examples/library/datapackage.json");
      open((await write.mutateAsync({ input: { content } })).body.key);
    } catch (error) {
      setProblem(error);
    }
  };
  const mayImport = may("model/import");
  const mayCreate = may("model/model_create");
  if (!mayImport && !mayCreate) return <EmptyState title={say("emptyTitle")} text={say("emptyNoRight")} />;
  const way = (
    Icon: ComponentType<{ size: number; stroke: number }>,
    title: string,
    text: string,
    button: ReactNode,
  ) => (
    <section className={styles.way}>
      <Icon size={24} stroke={1.5} aria-hidden />
      <Title order={3}>{title}</Title>
      <Text c="dimmed" size="sm">
        {text}
      </Text>
      {button}
    </section>
  );
  return (
    <div className={styles.empty}>
      <Title order={2}>{say("emptyTitle")}</Title>
      <Text c="dimmed" mb="lg">
        {say("emptyText")}
      </Text>
      {problem !== undefined && <ProblemBox problem={problem} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {mayImport &&
          way(
            IconFileImport,
            say("wayImport"),
            say("wayImportText"),
            <Button onClick={importModel}>{say("import")}</Button>,
          )}
        {mayImport &&
          way(
            IconBook2,
            say("wayExample"),
            say("wayExampleText"),
            <Button variant="default" loading={write.isPending} onClick={() => void startFromExample()}>
              {say("startExample")}
            </Button>,
          )}
        {mayCreate &&
          way(
            IconPlus,
            say("wayCreate"),
            say("wayCreateText"),
            <Button variant="default" onClick={createModel}>
              {say("create")}
            </Button>,
          )}
      </SimpleGrid>
    </div>
  );
}
