import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite, type Writing } from "../../api/writes.ts";
import { IMPACTS } from "../../parts/changed/impacts.ts";
import { ImpactSign } from "../../parts/changed/signs.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFrameWords } from "../../words/frame.ts";
import { useHistoryWords } from "../../words/history.ts";
import { nextVersion, RISES, type Rise, riseFor } from "./next-version.ts";
import styles from "./release.module.css";
import { WhyItRises } from "./why-it-rises.tsx";

type Model = OutputOf<"model/model_get">;
type Comparison = OutputOf<"model/model_compare">;

interface ReleaseDialogProps {
  readonly model: Model;
  /** The version released last. */
  readonly newest: string | undefined;
  readonly close: () => void;
}

/** Releases a model: suggests the next version from what changed since the last, and shows why. */
export function ReleaseDialog({ model, newest, close }: ReleaseDialogProps): ReactNode {
  const say = useHistoryWords();
  const sayFrame = useFrameWords();
  const modelRef = keyRef(model.key);
  const before = newest ?? model.version;
  // Held here, since the form begins anew when the model moved on.
  const release = useWrite("model/model_release");
  const compare = useRead("model/model_compare", {
    leftModelRef: modelRef,
    leftModelVersion: before,
    rightModelRef: modelRef,
    expand: "keys",
  });
  return (
    <Modal
      opened
      onClose={close}
      title={say("releaseTitle", { name: model.name })}
      closeButtonProps={{ "aria-label": sayFrame("close") }}
      size={560}
    >
      <Loaded read={compare} skeleton={<TableSkeleton rows={5} />}>
        {(comparison) => (
          <ReleaseForm
            key={comparison.right.revision}
            model={model}
            before={before}
            comparison={comparison}
            release={release}
            close={close}
          />
        )}
      </Loaded>
    </Modal>
  );
}

interface ReleaseFormProps {
  readonly model: Model;
  readonly before: string;
  readonly comparison: Comparison;
  readonly release: Writing<"model/model_release">;
  readonly close: () => void;
}

function ReleaseForm({ model, before, comparison, release, close }: ReleaseFormProps): ReactNode {
  const say = useHistoryWords();
  const sayFrame = useFrameWords();
  const field = useId();
  const suggested = riseFor(comparison);
  const [choice, setChoice] = useState<Rise | "own">(suggested);
  const [own, setOwn] = useState("");
  const version = choice === "own" ? own.trim() : nextVersion(before, choice);
  const modelRef = keyRef(model.key);
  const send = async (): Promise<void> => {
    if (!version) return;
    const ifMatch = `${model.id}-${comparison.right.revision}`;
    await release.mutateAsync({ input: { modelRef, value: version }, ifMatch }).then(close, () => undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <WhyItRises comparison={comparison} before={before} />
      <LinkButton
        to="/compare"
        search={{ left: modelRef, leftAt: before, right: modelRef }}
        variant="subtle"
        size="compact-sm"
        ml={-8}
        mb="md"
      >
        {say("whyAll")}
      </LinkButton>
      <Radio.Group value={choice} onChange={(value) => setChoice(value as Rise | "own")} label={say("versionLabel")}>
        <Stack gap={0} mt={6} className={styles.choices}>
          {RISES.map((rise, at) => {
            const impact = IMPACTS[at];
            return (
              <Radio
                key={rise}
                value={rise}
                className={styles.choice}
                label={
                  <span className={styles.label}>
                    <strong>{nextVersion(before, rise)}</strong>
                    <span className={styles.meaning}>
                      {impact && <ImpactSign impact={impact} />}
                      {say(`rise_${rise}`)}
                    </span>
                    {rise === suggested && <span className={styles.suggested}>{say("suggested")}</span>}
                  </span>
                }
              />
            );
          })}
          <Radio value="own" className={styles.choice} label={say("ownVersion")} />
        </Stack>
      </Radio.Group>
      {choice === "own" && (
        <TextInput
          id={field}
          mt="xs"
          label={say("ownVersion")}
          description={say("versionHint", { version: before })}
          placeholder={nextVersion(before, suggested) ?? ""}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
      )}
      {release.error && (
        <Stack mt="md" gap="xs">
          {release.error.status === 412 && <Text>{say("movedOn")}</Text>}
          <ProblemBox problem={release.error} />
        </Stack>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          {sayFrame("cancel")}
        </Button>
        <Button type="submit" loading={release.isPending} disabled={!version}>
          {say("releaseNow", { version: version ?? "" })}
        </Button>
      </Group>
    </form>
  );
}
