import { Button, Group, Modal, Progress, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../api/service.ts";
import { rehearse, useWrite } from "../../api/writes.ts";
import { focusAtOnce } from "../../parts/focus-at-once.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useModelsWords } from "../../words/models.ts";
import { ImportReport } from "./import-report.tsx";
import { ImportSource, type Source, sourceInput } from "./import-source.tsx";
import { keyOf } from "./key-of.ts";

interface ImportModelProps {
  readonly close: () => void;
  /** Opens the model that was made. */
  readonly open: (key: string) => void;
}

type Report = OutputOf<"model/import">;

/** Imports a model from a file, an address or a text: checks it first if asked to, shows the progress, and reports. */
export function ImportModel({ close, open }: ImportModelProps): ReactNode {
  const say = useModelsWords();
  const write = useWrite("model/import");
  const [source, setSource] = useState<Source>({ sort: "file", text: "" });
  const [names, setNames] = useState({ modelKey: "", modelName: "" });
  const [checked, setChecked] = useState<Report>();
  const [problem, setProblem] = useState<unknown>();
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const [busy, setBusy] = useState<"check" | "import">();

  const run = async (what: "check" | "import"): Promise<void> => {
    setBusy(what);
    setProblem(undefined);
    setChecked(undefined);
    try {
      const input = { ...sourceInput(source, say("noJson")), ...names };
      if (what === "check") setChecked((await rehearse("model/import", { input })).body);
      else await write.mutateAsync({ input, onProgress: setProgress });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(undefined);
      setProgress(undefined);
    }
  };
  const done = write.data?.body;
  const change = (next: Source): void => {
    setSource(next);
    // Statements name no model.
    const [, stem] = /^(.+)\.(?:sql|ddl)$/i.exec(next.fileName ?? "") ?? [];
    if (stem !== undefined && names.modelKey === "") setNames({ ...names, modelKey: keyOf(stem) });
    setChecked(undefined);
    setProblem(undefined);
  };
  return (
    <Modal opened onClose={close} size="lg" title={say("import")} closeButtonProps={{ "aria-label": say("close") }}>
      {done ? (
        <Stack>
          <ImportReport report={done} isDone />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {say("close")}
            </Button>
            <Button ref={focusAtOnce} onClick={() => open(done.key)}>
              {say("open")}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <ImportSource source={source} setSource={change} disabled={busy !== undefined} />
          <Group grow gap="sm" align="flex-start">
            <TextInput
              label={say("importKey")}
              description={say("importKeyText")}
              value={names.modelKey}
              onChange={(event) => setNames({ ...names, modelKey: event.currentTarget.value })}
            />
            <TextInput
              label={say("importName")}
              description={say("importNameText")}
              value={names.modelName}
              onChange={(event) => setNames({ ...names, modelName: event.currentTarget.value })}
            />
          </Group>
          {checked && <ImportReport report={checked} isDone={false} />}
          {problem !== undefined && <ProblemBox problem={problem} />}
          {progress && progress.total > 0 && (
            <div role="status">
              <Progress value={(100 * progress.done) / progress.total} aria-label={say("importing")} mb={4} />
              <Text size="sm" c="dimmed">
                {say("progress", { done: progress.done, total: progress.total })}
              </Text>
            </div>
          )}
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              disabled={source.text === "" || busy === "import"}
              loading={busy === "check"}
              onClick={() => void run("check")}
            >
              {say("check")}
            </Button>
            <Button
              disabled={source.text === "" || busy === "check"}
              loading={busy === "import"}
              onClick={() => void run("import")}
            >
              {say("import")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
