import {
  Button,
  FileButton,
  Group,
  Progress,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { IconCheck, IconFileUpload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../api/service.ts";
import { dryRun, useWrite } from "../../api/writes.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { parseSourceContent, type SourceContent } from "../../parts/formats/source-content.ts";
import { useFileDrop } from "../../parts/formats/use-file-drop.ts";
import { WarningGroups } from "../../parts/formats/warning-groups.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { focusElement } from "../../parts/search/conditions.ts";
import { JsonEditor } from "../../parts/text/json-editor.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./models.module.css";

interface ImportModelProps {
  readonly close: () => void;
  readonly open: (key: string) => void;
}

type Report = OutputOf<"model/import">;

/** Imports a model from a file, a URL or a text: optional dry run, progress, report. */
export function ImportModel({ close, open }: ImportModelProps): ReactNode {
  const say = useWords("models");
  const write = useWrite("model/import");
  const [source, setSource] = useState<Source>({ kind: "file", text: "" });
  const [names, setNames] = useState({ modelKey: "", modelName: "" });
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<unknown>();
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const [busy, setBusy] = useState<"check" | "import">();

  const run = async (step: "check" | "import") => {
    setBusy(step);
    setProblem(undefined);
    setReport(undefined);
    try {
      const input = { ...toSourceInput(source, say("noJson")), ...names };
      if (step === "check") setReport((await dryRun("model/import", { input })).body);
      else await write.mutateAsync({ input, onProgress: setProgress });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(undefined);
      setProgress(undefined);
    }
  };
  const result = write.data?.body;
  const change = (next: Source) => {
    setSource(next);
    // SQL statements contain no model name.
    const [, stem] = /^(.+)\.(?:sql|ddl)$/i.exec(next.fileName ?? "") ?? [];
    if (stem !== undefined && names.modelKey === "") setNames({ ...names, modelKey: suggestKey(stem) });
    setReport(undefined);
    setProblem(undefined);
  };
  return (
    <Dialog close={close} size="lg" title={say("import")}>
      {result ? (
        <Stack>
          <ImportReport report={result} isDone />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {say("close")}
            </Button>
            <Button ref={focusElement} onClick={() => open(result.key)}>
              {say("open")}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <ImportSource source={source} setSource={change} disabled={busy !== undefined} />
          <Group grow gap="sm" align="flex-start">
            <TextInput
              label={say("key")}
              description={say("importKeyText")}
              value={names.modelKey}
              onChange={(event) => setNames({ ...names, modelKey: event.currentTarget.value })}
            />
            <TextInput
              label={say("name")}
              description={say("importNameText")}
              value={names.modelName}
              onChange={(event) => setNames({ ...names, modelName: event.currentTarget.value })}
            />
          </Group>
          {report && <ImportReport report={report} isDone={false} />}
          {problem !== undefined && <ProblemBox problem={problem} />}
          {progress && progress.total > 0 && (
            <div role="status">
              <Progress value={(100 * progress.done) / progress.total} aria-label={say("importing")} mb={4} />
              <p className="note">{say("objectsWritten", { done: progress.done, total: progress.total })}</p>
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
    </Dialog>
  );
}

interface Source {
  readonly kind: "file" | "url" | "text";
  /** The content, or the URL. */
  readonly text: string;
  readonly fileName?: string;
}

function toSourceInput({ kind, text }: Source, sentence: string): { from: string } | { content: SourceContent } {
  if (kind === "url") return { from: text.trim() };
  try {
    return { content: parseSourceContent(text) };
  } catch (error) {
    throw new Error(`${sentence} ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}

interface ImportSourceProps {
  readonly source: Source;
  readonly setSource: (source: Source) => void;
  readonly disabled: boolean;
}

function ImportSource({ source, setSource, disabled }: ImportSourceProps) {
  const say = useWords("models");
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={say("source")}
        disabled={disabled}
        value={source.kind}
        onChange={(kind) => setSource({ kind, text: "" })}
        data={[
          { value: "file", label: say("sourceFile") },
          { value: "url", label: say("address") },
          { value: "text", label: say("text") },
        ]}
      />
      {source.kind === "file" && <FileSource source={source} setSource={setSource} />}
      {source.kind === "url" && (
        <TextInput
          type="url"
          label={say("address")}
          description={say("urlText")}
          placeholder="https://example.org/datapackage.json"
          value={source.text}
          onChange={(event) => setSource({ kind: "url", text: event.currentTarget.value })}
        />
      )}
      {source.kind === "text" && (
        <JsonEditor
          label={say("text")}
          takesAnyText
          value={source.text}
          minHeight={200}
          maxHeight={240}
          onChange={(text) => setSource({ kind: "text", text })}
        />
      )}
      <p className="note">{say("formats")}</p>
    </Stack>
  );
}

function FileSource({ source, setSource }: Omit<ImportSourceProps, "disabled">) {
  const say = useWords("models");
  const formats = useFormats();
  const take = async (file: File) => setSource({ kind: "file", text: await file.text(), fileName: file.name });
  const { target } = useFileDrop(take);
  return (
    <FileButton onChange={(file) => file && void take(file)}>
      {(button) => (
        <UnstyledButton {...button} className={styles.drop} {...target}>
          <IconFileUpload size={28} stroke={1.4} aria-hidden />
          <Text fw={500}>{source.fileName ?? say("dropFile")}</Text>
          <p className="note">
            {source.fileName ? say("characters", { count: formats.formatNumber(source.text.length) }) : say("dropText")}
          </p>
        </UnstyledButton>
      )}
    </FileButton>
  );
}

const COUNTED_MEMBERS = ["entities", "attributes", "relationships", "types", "businessKeys", "tags"] as const;

interface ImportReportProps {
  readonly report: Report;
  /** False for a dry run. */
  readonly isDone: boolean;
}

function ImportReport({ report, isDone }: ImportReportProps) {
  const say = useWords("models");
  const formats = useFormats();
  const { counts, warnings } = report;
  return (
    <Stack gap="sm" role="status" ref={(box: HTMLDivElement | null) => box?.scrollIntoView({ block: "nearest" })}>
      <Group gap={8}>
        <IconCheck size={18} color="var(--sign-good)" aria-hidden />
        <Text fw={500}>{say(isDone ? "imported" : "wouldImport", { key: report.key })}</Text>
      </Group>
      <dl className={styles.counts}>
        {COUNTED_MEMBERS.filter((name) => counts[name] > 0).map((name) => (
          <div key={name}>
            <dd>{formats.formatNumber(counts[name])}</dd>
            <dt>{say(name)}</dt>
          </div>
        ))}
      </dl>
      {warnings.length === 0 && <Text c="dimmed">{say("noWarnings")}</Text>}
      <WarningGroups warnings={warnings} />
    </Stack>
  );
}

/** Suggests a key for a name: without accents, in lower case, with `_` between words. */
export function suggestKey(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 128);
}
