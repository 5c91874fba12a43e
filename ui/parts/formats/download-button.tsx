import { Button, Group, NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { IconCheck, IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { listChoices, useDescription } from "../../api/description.ts";
import { useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { callByName, type InputOf, type OutputOf } from "../../api/service.ts";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { Dialog, DialogButtons } from "../dialog.tsx";
import { type ModelState, parseState } from "../object-path.ts";
import { ProblemBox } from "../problem-box.tsx";
import { focusElement } from "../search/conditions.ts";
import { TableSkeleton } from "../skeletons.tsx";
import { downloadFile } from "./download.ts";
import styles from "./formats.module.css";
import { WarningGroups } from "./warning-groups.tsx";

/** Button that opens the download dialog; hidden if the person may not export. */
export function DownloadButton({ what }: { readonly what: Download }): ReactNode {
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
  readonly what: Download;
  readonly close: () => void;
}

function DownloadDialog({ what, close }: DownloadDialogProps) {
  const say = useWords("download");
  const isModel = what.action === "model/model_export_as";
  const [format, setFormat] = useState<string>();
  const [at, setAt] = useState("");
  const download = useMutation({
    mutationFn: async (formatName: string) => {
      const file = await toDownloadFile(what, formatName, parseState(at));
      downloadFile(file.fileName, file.mediaType, file.content);
      return file;
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (format !== undefined) download.mutate(format);
  };
  return (
    <Dialog close={close} size="lg" title={say(isModel ? "model" : "difference")}>
      {download.data ? (
        <FileReport file={download.data} close={close} chooseAnother={download.reset} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <FormatChoice action={what.action} format={format} choose={setFormat} />
            {isModel && <StateChoice modelRef={what.input.modelRef} at={at} choose={setAt} />}
            {download.error && <ProblemBox problem={download.error} />}
            <DialogButtons close={close}>
              <Button type="submit" disabled={format === undefined} loading={download.isPending}>
                {say("download")}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

interface FormatChoiceProps {
  readonly action: Download["action"];
  readonly format: string | undefined;
  readonly choose: (format: string) => void;
}

function FormatChoice({ action, format, choose }: FormatChoiceProps) {
  const say = useWords("download");
  const read = useDescription();
  if (read.error) return <ProblemBox problem={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <TableSkeleton rows={8} />;
  return (
    <Radio.Group label={say("format")} value={format ?? null} onChange={choose}>
      <div className={styles.formats}>
        {action === "model/model_export_as" && (
          <Radio value={OWN_FORMAT} label={<code>{OWN_FORMAT}</code>} description={say("document")} />
        )}
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

function StateChoice({ modelRef, at, choose }: StateChoiceProps) {
  const say = useWords("download");
  const { formatSince } = useFormats();
  const versions = useRead("model/history_versions", { modelRef, expand: "keys" }).data?.body.items ?? [];
  return (
    <NativeSelect
      label={say("state")}
      value={at}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: "", label: say("now") },
        ...versions.map(({ version, time }) => ({ value: version, label: `${version} · ${formatSince(time)}` })),
      ]}
    />
  );
}

interface FileReportProps {
  readonly file: WrittenFile;
  readonly close: () => void;
  readonly chooseAnother: () => void;
}

function FileReport({ file, close, chooseAnother }: FileReportProps) {
  const say = useWords("download");
  const { formatNumber } = useFormats();
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
            <p className="note">{say("characters", { count: formatNumber(content.length) })}</p>
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

type WrittenFile = Pick<OutputOf<"model/model_export_as">, "mediaType" | "fileName" | "content" | "warnings">;

type Download =
  | { readonly action: "model/model_export_as"; readonly input: InputOf<"model/model_export"> }
  | { readonly action: "model/model_compare_as"; readonly input: Omit<InputOf<"model/model_compare_as">, "format"> };

const OWN_FORMAT = "metaction";

async function toDownloadFile({ action, input }: Download, format: string, state: ModelState): Promise<WrittenFile> {
  const parameters = { ...input, ...state };
  if (format !== OWN_FORMAT) return (await callByName(action, { ...parameters, format })).body as WrittenFile;
  const { body } = await callByName("model/model_export", parameters);
  const { key } = body as OutputOf<"model/model_export">;
  return {
    mediaType: "application/json",
    fileName: `${key.replace(/[^\w.-]+/g, "_")}.json`,
    content: `${JSON.stringify(body, null, 2)}\n`,
    warnings: [],
  };
}
