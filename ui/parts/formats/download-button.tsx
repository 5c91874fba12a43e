import { Button, Group, Modal, NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { IconCheck, IconDownload } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { listChoices, useDescription } from "../../api/description.ts";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { callByName, type InputOf, type OutputOf } from "../../api/service.ts";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { type Moment, parseMoment } from "../object-place.ts";
import { ProblemBox } from "../problem-box.tsx";
import { focusElement } from "../search/conditions.ts";
import { TableSkeleton } from "../skeletons.tsx";
import { downloadFile } from "./download.ts";
import styles from "./formats.module.css";
import { WarningGroups } from "./warning-groups.tsx";

interface DownloadButtonProps {
  readonly what: Downloaded;
}

/** Button that opens the download dialog of a model or a difference; hidden if the person may not export. */
export function DownloadButton({ what }: DownloadButtonProps): ReactNode {
  const say = useWords("model");
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may(what.action)) return null;
  return (
    <>
      <Button
        variant="default"
        px={12}
        aria-label={say("download")}
        title={say("download")}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconDownload size={18} stroke={1.6} aria-hidden />
        <span className={styles.word}>{say("download")}</span>
      </Button>
      {isOpen && <DownloadDialog what={what} close={() => setOpen(false)} />}
    </>
  );
}

interface DownloadDialogProps {
  readonly what: Downloaded;
  readonly close: () => void;
}

/**
 * Dialog that asks for a format, downloads the file, and lists what it omits. The service provides the list of formats.
 */
function DownloadDialog({ what, close }: DownloadDialogProps): ReactNode {
  const say = useWords("download");
  const isModel = what.action === "model/model_export_as";
  const [format, setFormat] = useState<string>();
  const [at, setAt] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [file, setFile] = useState<WrittenFile>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (format === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const written = await toDownloadFile(what, format, parseMoment(at));
      downloadText(written.fileName, written.mediaType, written.content);
      setFile(written);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={say(isModel ? "model" : "difference")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      {file ? (
        <FileReport file={file} close={close} chooseAnother={() => setFile(undefined)} />
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <FormatChoice action={what.action} hasDocument={isModel} format={format} choose={setFormat} />
            {isModel && <StateChoice modelRef={what.input.modelRef} at={at} choose={setAt} />}
            {problem !== undefined && <ProblemBox problem={problem} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {say("cancel")}
              </Button>
              <Button type="submit" disabled={format === undefined} loading={isBusy}>
                {say("download")}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

interface FormatChoiceProps {
  readonly action: Downloaded["action"];
  /** True to offer the model's own document too. */
  readonly hasDocument: boolean;
  readonly format: string | undefined;
  readonly choose: (format: string) => void;
}

function FormatChoice({ action, hasDocument, format, choose }: FormatChoiceProps): ReactNode {
  const say = useWords("download");
  const read = useDescription();
  if (read.error) return <ProblemBox problem={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <TableSkeleton rows={8} />;
  return (
    <Radio.Group label={say("format")} value={format ?? null} onChange={choose}>
      <div className={styles.formats}>
        {hasDocument && <Radio value={OWN_FORMAT} label={<code>{OWN_FORMAT}</code>} description={say("document")} />}
        {listChoices(read.data, action, "format").map(({ value, text }) => (
          <Radio
            key={value}
            value={value}
            label={<code>{value}</code>}
            description={<span lang="en">{text.replaceAll("`", "")}</span>}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

interface StateChoiceProps {
  readonly modelRef: RefText;
  readonly at: string;
  readonly choose: (at: string) => void;
}

function StateChoice({ modelRef, at, choose }: StateChoiceProps): ReactNode {
  const say = useWords("download");
  const formats = useFormats();
  const versions = useRead("model/history_versions", { modelRef, expand: "keys" }).data?.body.items ?? [];
  return (
    <NativeSelect
      label={say("state")}
      value={at}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: "", label: say("now") },
        ...versions.map(({ version, time }) => ({
          value: version,
          label: `${version} · ${formats.formatSince(time)}`,
        })),
      ]}
    />
  );
}

interface FileReportProps {
  readonly file: WrittenFile;
  readonly close: () => void;
  /** Goes back to the formats. */
  readonly chooseAnother: () => void;
}

/** Names the downloaded file and lists what it omits. */
function FileReport({ file, close, chooseAnother }: FileReportProps): ReactNode {
  const say = useWords("download");
  const formats = useFormats();
  const { fileName, content, warnings } = file;
  return (
    <Stack>
      <Stack gap="sm" role="status">
        <Group gap={8} wrap="nowrap" align="flex-start">
          <IconCheck size={18} color="var(--sign-good)" style={{ flex: "none", marginTop: 2 }} aria-hidden />
          <div>
            <Text fw={500} style={{ overflowWrap: "anywhere" }}>
              {say("downloaded", { name: fileName })}
            </Text>
            <Text size="sm" c="dimmed">
              {say("characters", { count: formats.formatNumber(content.length) })}
            </Text>
          </div>
        </Group>
        {warnings.length === 0 && <Text c="dimmed">{say("noWarnings")}</Text>}
        <WarningGroups warnings={warnings} />
      </Stack>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={chooseAnother}>
          {say("another")}
        </Button>
        <Button ref={focusElement} onClick={close}>
          {say("close")}
        </Button>
      </Group>
    </Stack>
  );
}

/** A file from the service, with warnings about its omissions. */
type WrittenFile = Pick<OutputOf<"model/model_export_as">, "mediaType" | "fileName" | "content" | "warnings">;

/** Subject of the download: a model in one of its states, or the difference of two. */
type Downloaded =
  | { readonly action: "model/model_export_as"; readonly input: InputOf<"model/model_export"> }
  | { readonly action: "model/model_compare_as"; readonly input: Omit<InputOf<"model/model_compare_as">, "format"> };

/** Name of the native format of models. */
const OWN_FORMAT = "metaction";

/** Requests the file in a format, or the native document of the model. Throws `ApiProblem`. */
async function toDownloadFile({ action, input }: Downloaded, format: string, moment: Moment): Promise<WrittenFile> {
  const given = { ...input, ...moment };
  if (format !== OWN_FORMAT) return (await callByName(action, { ...given, format })).body as WrittenFile;
  const { body } = await callByName("model/model_export", given);
  const { key } = body as OutputOf<"model/model_export">;
  return {
    mediaType: "application/json",
    fileName: `${key.replace(/[^\w.-]+/g, "_")}.json`,
    content: `${JSON.stringify(body, null, 2)}\n`,
    warnings: [],
  };
}

/** Offers a text to the person as a file. */
export function downloadText(name: string, mediaType: string, text: string): void {
  downloadFile(name, new Blob([text], { type: mediaType }));
}
