import { Button, Group, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useDownloadWords } from "../../words/download.ts";
import { useFormats } from "../../words/formats.ts";
import { focusAtOnce } from "../focus-at-once.ts";
import { WarningGroups } from "../warning-groups.tsx";
import type { WrittenFile } from "./downloaded.ts";

interface FileReportProps {
  readonly file: WrittenFile;
  readonly close: () => void;
  /** Goes back to the formats. */
  readonly another: () => void;
}

/** Says which file was downloaded, and what is not in it. */
export function FileReport({ file, close, another }: FileReportProps): ReactNode {
  const say = useDownloadWords();
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
              {say("characters", { count: formats.number(content.length) })}
            </Text>
          </div>
        </Group>
        {warnings.length === 0 && <Text c="dimmed">{say("noWarnings")}</Text>}
        <WarningGroups warnings={warnings} />
      </Stack>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={another}>
          {say("another")}
        </Button>
        <Button ref={focusAtOnce} onClick={close}>
          {say("close")}
        </Button>
      </Group>
    </Stack>
  );
}
