import { ActionIcon, Button, CloseButton, FileButton, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { IconArrowsDiff, IconFileUpload, IconSwitchHorizontal } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { DownloadButton } from "../../parts/formats/download-button.tsx";
import { useFileDrop } from "../../parts/formats/use-file-drop.ts";
import { LoadedBody } from "../../parts/loaded.tsx";
import { formatRevision, parseState } from "../../parts/object-path.ts";
import { PageHeader } from "../../parts/page.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./compare.module.css";
import { ComparedModels } from "./compared-models.tsx";
import { getFileName, loadFile, toFileSide } from "./dropped-file.ts";
import { type ReadySide, type SideText, useComparison, useSide } from "./use-comparison.ts";

const route = getRouteApi("/shell/compare");

/** Compares two states of models, or a model with a file. */
export function CompareScreen(): ReactNode {
  const say = useWords("compare");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const left = useSide({ of: search.left, at: search.leftAt });
  const right = useSide({ of: search.right, at: search.rightAt });
  const scope = search.scope ?? "complete";
  const { read, sides } = useComparison(left, right, scope);
  const put = (values: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, open: undefined, ...values }) });
  const putSides = (one: SideText, other: SideText) =>
    put({ left: one.of, leftAt: one.at, right: other.of, rightAt: other.at });
  return (
    <>
      <PageHeader
        title={say("compare")}
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label={say("scope")}
              data={[
                { value: "complete", label: say("complete") },
                { value: "structural", label: say("structural") },
              ]}
              value={scope}
              onChange={(value) => put({ scope: value === "structural" ? "structural" : undefined })}
            />
            {sides && <DownloadButton what={{ action: "model/model_compare_as", input: sides }} />}
          </>
        }
      />
      <div className={styles.sides}>
        <SidePicker label={say("left")} side={left} change={(side) => putSides(side, right)} />
        <ActionIcon
          className={styles.swap}
          variant="default"
          size={36}
          aria-label={say("swap")}
          title={say("swap")}
          onClick={() => putSides(right, left)}
        >
          <IconSwitchHorizontal size={18} />
        </ActionIcon>
        <SidePicker label={say("right")} side={right} change={(side) => putSides(left, side)} />
      </div>
      {sides ? (
        <LoadedBody
          read={read}
          skeleton={
            <div className={styles.body}>
              <TableSkeleton />
            </div>
          }
        >
          {(comparison) => <ComparedModels comparison={comparison} left={left} right={right} />}
        </LoadedBody>
      ) : (
        <EmptyState icon={IconArrowsDiff} title={say("emptyTitle")} text={say("emptyText")} />
      )}
    </>
  );
}

interface SidePickerProps {
  readonly label: string;
  readonly side: ReadySide;
  readonly change: (side: SideText) => void;
}

function SidePicker({ label, side, change }: SidePickerProps) {
  const say = useWords("compare");
  const fileName = getFileName(side.of);
  const take = async (file: File) => {
    await loadFile(file);
    change({ of: toFileSide(file.name), at: undefined });
  };
  const { isOver, target } = useFileDrop(take);
  return (
    <fieldset className={styles.side} {...target}>
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
      <FileButton onChange={(file) => file && void take(file)}>
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconFileUpload size={16} aria-hidden />}
          >
            {isOver ? say("dropFile") : say("file")}
          </Button>
        )}
      </FileButton>
    </fieldset>
  );
}

function FileFault({ side, name }: { readonly side: ReadySide; readonly name: string }) {
  const say = useWords("compare");
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

function ModelSide({ side: { of, at }, change }: Omit<SidePickerProps, "label">) {
  const say = useWords("compare");
  const formats = useFormats();
  const models = useRead("model/model_list", {});
  const items = models.data?.body ?? [];
  const model = items.find(({ id, key }) => of === `id:${id}` || of === toKeyRef(key));
  const versions = useRead(
    "model/history_versions",
    of === undefined ? undefined : { modelRef: toRef(of), expand: "keys" },
  );
  const { version, revision } = parseState(at);
  const [isAsking, setIsAsking] = useState(false);
  const isRevision = revision !== undefined || isAsking;
  const states = [
    { value: "", label: say("now") },
    ...(versions.data?.body.items ?? []).map((one) => ({
      value: one.version,
      label: `${one.version} · ${formats.formatSince(one.time)}`,
    })),
    { value: REVISION, label: say("aRevision") },
  ];
  if (version !== undefined && !states.some(({ value }) => value === version))
    states.push({ value: version, label: version });
  const chooseState = (value: string | null) => {
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
        data={items.map(({ key, name }) => ({ value: toKeyRef(key), label: name === key ? key : `${name} (${key})` }))}
        value={model ? toKeyRef(model.key) : null}
        onChange={(value) => change({ of: value ?? undefined, at: undefined })}
        error={of !== undefined && models.data && !model ? of : undefined}
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
        <TextInput
          w={96}
          aria-label={say("revisionNumber")}
          inputMode="numeric"
          key={of}
          defaultValue={revision ?? ""}
          onChange={({ currentTarget: { value } }) =>
            /^[1-9]\d*$/.test(value) && change({ of, at: formatRevision(Number(value)) })
          }
        />
      )}
    </>
  );
}
