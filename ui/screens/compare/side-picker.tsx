import { Button, CloseButton, FileButton, NumberInput, Select, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef, refOf } from "../../api/refs.ts";
import { KeyText } from "../../parts/key-text.tsx";
import { momentOf, revisionText } from "../../parts/moment.ts";
import { useCompareWords } from "../../words/compare.ts";
import { useFormats } from "../../words/formats.ts";
import styles from "./compare.module.css";
import { fileNameOf, sideOfFile, takeFile } from "./dropped-file.ts";
import type { ReadySide, SideText } from "./use-comparison.ts";

interface SidePickerProps {
  readonly label: string;
  readonly side: ReadySide;
  readonly change: (side: SideText) => void;
}

/** Chooses one side of a comparison: a model in one of its states, or a file, which may be dropped on it. */
export function SidePicker({ label, side, change }: SidePickerProps): ReactNode {
  const say = useCompareWords();
  const [isOver, setIsOver] = useState(false);
  const fileName = fileNameOf(side.of);
  const take = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    await takeFile(file);
    change({ of: sideOfFile(file.name), at: undefined });
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <fieldset
      className={styles.side}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={dropped}
    >
      <legend>{label}</legend>
      {fileName === undefined ? (
        <ModelSide side={side} change={change} />
      ) : (
        <div className={styles.file}>
          <KeyText value={fileName} strong />
          <CloseButton aria-label={say("removeFile")} onClick={() => change({ of: undefined, at: undefined })} />
          <FileFault side={side} name={fileName} />
        </div>
      )}
      <FileButton onChange={(file) => void take(file)}>
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconFileUpload size={16} aria-hidden />}
          >
            {isOver ? say("dropHere") : say("file")}
          </Button>
        )}
      </FileButton>
    </fieldset>
  );
}

function FileFault({ side, name }: { readonly side: ReadySide; readonly name: string }): ReactNode {
  const say = useCompareWords();
  const { file } = side;
  if (file?.content !== undefined) return null;
  const why = file?.fault;
  const text = why === undefined ? say("fileGone", { name }) : say("fileBad", { name, why });
  return (
    <Text role="alert" fz="sm" c="var(--mantine-color-error)" className={styles.fault}>
      {text}
    </Text>
  );
}

const REVISION = "revision";

function ModelSide({ side: { of, at }, change }: Omit<SidePickerProps, "label">): ReactNode {
  const say = useCompareWords();
  const formats = useFormats();
  const models = useRead("model/model_list", {});
  const known = models.data?.body ?? [];
  const chosen = known.find(({ id, key }) => of === `id:${id}` || of === keyRef(key));
  const versions = useRead(
    "model/history_versions",
    of === undefined ? undefined : { modelRef: refOf(of), expand: "keys" },
  );
  const { version, revision } = momentOf(at);
  const [isAsking, setIsAsking] = useState(false);
  const isRevision = revision !== undefined || isAsking;
  const states = [
    { value: "", label: say("now") },
    ...(versions.data?.body.items ?? []).map((one) => ({
      value: one.version,
      label: `${one.version} · ${formats.since(one.time)}`,
    })),
    { value: REVISION, label: say("aRevision") },
  ];
  if (version !== undefined && !states.some(({ value }) => value === version))
    states.push({ value: version, label: version });
  const chooseState = (value: string | null): void => {
    setIsAsking(value === REVISION);
    if (value !== REVISION) change({ of, at: value || undefined });
  };
  return (
    <>
      <Select
        className={styles.model}
        aria-label={say("model")}
        placeholder={say("chooseModel")}
        searchable
        data={known.map(({ key, name }) => ({ value: keyRef(key), label: name === key ? key : `${name} (${key})` }))}
        value={chosen ? keyRef(chosen.key) : null}
        onChange={(value) => change({ of: value ?? undefined, at: undefined })}
        error={of !== undefined && models.data && !chosen ? of : undefined}
      />
      <Select
        className={styles.state}
        aria-label={say("state")}
        data={states}
        value={isRevision ? REVISION : (version ?? "")}
        allowDeselect={false}
        disabled={of === undefined}
        onChange={chooseState}
      />
      {isRevision && (
        <NumberInput
          className={styles.revision}
          aria-label={say("revisionNumber")}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          value={revision ?? ""}
          onChange={(value) => typeof value === "number" && value > 0 && change({ of, at: revisionText(value) })}
        />
      )}
    </>
  );
}
