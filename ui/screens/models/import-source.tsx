import { FileButton, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { JsonEditor } from "../../parts/json-editor.tsx";
import { type SourceContent, sourceContent } from "../../parts/source-content.ts";
import { useFormats } from "../../words/formats.ts";
import { useModelsWords } from "../../words/models.ts";
import styles from "./import-source.module.css";

/** Where a model is imported from. */
export interface Source {
  readonly sort: "file" | "url" | "text";
  /** The content, or the address. */
  readonly text: string;
  readonly fileName?: string;
}

/** A source as the action takes it; throws a sentence where its text begins as JSON does and is none. */
export function sourceInput({ sort, text }: Source, sentence: string): { from: string } | { content: SourceContent } {
  if (sort === "url") return { from: text.trim() };
  try {
    return { content: sourceContent(text) };
  } catch (error) {
    throw new Error(`${sentence} ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}

interface ImportSourceProps {
  readonly source: Source;
  readonly setSource: (source: Source) => void;
  readonly disabled: boolean;
}

/** Chooses a source: a file that is dropped or picked, an address, or a text that is pasted. */
export function ImportSource({ source, setSource, disabled }: ImportSourceProps): ReactNode {
  const say = useModelsWords();
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={say("source")}
        disabled={disabled}
        value={source.sort}
        onChange={(sort) => setSource({ sort, text: "" })}
        data={[
          { value: "file", label: say("sourceFile") },
          { value: "url", label: say("sourceUrl") },
          { value: "text", label: say("sourceText") },
        ]}
      />
      {source.sort === "file" && <FileSource source={source} setSource={setSource} />}
      {source.sort === "url" && (
        <TextInput
          type="url"
          label={say("url")}
          description={say("urlText")}
          placeholder="https://example.org/datapackage.json"
          value={source.text}
          onChange={(event) => setSource({ sort: "url", text: event.currentTarget.value })}
        />
      )}
      {source.sort === "text" && (
        <JsonEditor
          label={say("sourceText")}
          takesAnyText
          value={source.text}
          minHeight={200}
          maxHeight={240}
          onChange={(text) => setSource({ sort: "text", text })}
        />
      )}
      <Text size="sm" c="dimmed">
        {say("formats")}
      </Text>
    </Stack>
  );
}

function FileSource({ source, setSource }: Omit<ImportSourceProps, "disabled">): ReactNode {
  const say = useModelsWords();
  const formats = useFormats();
  const [isOver, setOver] = useState(false);
  const take = async (file: File | null | undefined): Promise<void> => {
    if (file) setSource({ sort: "file", text: await file.text(), fileName: file.name });
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent, is: boolean): void => {
    event.preventDefault();
    setOver(is);
  };
  return (
    <FileButton onChange={(file) => void take(file)}>
      {(button) => (
        <UnstyledButton
          {...button}
          className={styles.drop}
          data-over={isOver || undefined}
          onDrop={dropped}
          onDragOver={(event) => over(event, true)}
          onDragLeave={(event) => over(event, false)}
        >
          <IconFileUpload size={28} stroke={1.4} aria-hidden />
          <Text fw={500}>{source.fileName ?? say("drop")}</Text>
          <Text size="sm" c="dimmed">
            {source.fileName ? say("characters", { count: formats.number(source.text.length) }) : say("dropText")}
          </Text>
        </UnstyledButton>
      )}
    </FileButton>
  );
}
