import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useMay } from "../../api/rights.ts";
import { useModelWords } from "../../words/model.ts";
import { openedLater } from "../opened-later.tsx";
import styles from "./download-as.module.css";
import type { Downloaded } from "./downloaded.ts";

const DownloadDialog = openedLater(async () => (await import("./download-dialog.tsx")).DownloadDialog);

interface DownloadButtonProps {
  readonly what: Downloaded;
}

/** A button that opens the dialog in which a model, or a difference, is downloaded; nothing for those who may not. */
export function DownloadButton({ what }: DownloadButtonProps): ReactNode {
  const say = useModelWords();
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
        onPointerEnter={() => void DownloadDialog.preload()}
        onFocus={() => void DownloadDialog.preload()}
        onClick={() => setOpen(true)}
      >
        <IconDownload size={18} stroke={1.6} aria-hidden />
        <span className={styles.word}>{say("download")}</span>
      </Button>
      {isOpen && <DownloadDialog what={what} close={() => setOpen(false)} />}
    </>
  );
}
