import { Button, Radio, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { IMPACTS, type Impact } from "../../../shared/domain/differences.ts";
import { useRead } from "../../api/reads.ts";
import { toKeyRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite, type Writing } from "../../api/writes.ts";
import { formatPath } from "../../parts/changed/difference-path.ts";
import { ImpactSign, StatusSign } from "../../parts/changed/signs.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useKindWord, useWords } from "../../words/words.ts";
import styles from "./history.module.css";

type Model = OutputOf<"model/model_get">;
type Comparison = OutputOf<"model/model_compare">;

interface ReleaseDialogProps {
  readonly model: Model;
  readonly newest: string | undefined;
  readonly close: () => void;
}

/** Dialog that releases a model: suggests the next version with the reasons. */
export function ReleaseDialog({ model, newest, close }: ReleaseDialogProps): ReactNode {
  const say = useWords("history");
  const modelRef = toKeyRef(model.key);
  const before = newest ?? model.version;
  // Outside of the form, which is created again when the model changes.
  const release = useWrite("model/model_release");
  const compare = useRead("model/model_compare", {
    leftModelRef: modelRef,
    leftModelVersion: before,
    rightModelRef: modelRef,
    expand: "keys",
  });
  return (
    <Dialog close={close} title={say("releaseTitle", { name: model.name })} size={560}>
      <LoadedBody read={compare} skeleton={<TableSkeleton rows={5} />}>
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
      </LoadedBody>
    </Dialog>
  );
}

interface ReleaseFormProps {
  readonly model: Model;
  readonly before: string;
  readonly comparison: Comparison;
  readonly release: Writing<"model/model_release">;
  readonly close: () => void;
}

function ReleaseForm({ model, before, comparison, release, close }: ReleaseFormProps) {
  const say = useWords("history");
  const field = useId();
  const suggestion = findVersionStep(comparison);
  const [choice, setChoice] = useState<Rise | "own">(suggestion);
  const [own, setOwn] = useState("");
  const version = choice === "own" ? own.trim() : getNextVersion(before, choice);
  const modelRef = toKeyRef(model.key);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!version) return;
    const ifMatch = `${model.id}-${comparison.right.revision}`;
    release.mutate({ input: { modelRef, value: version }, ifMatch }, { onSuccess: close });
  };
  return (
    <form onSubmit={send}>
      <VersionReasons comparison={comparison} before={before} />
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
      <VersionChoices before={before} suggestion={suggestion} choice={choice} choose={setChoice} />
      {choice === "own" && (
        <TextInput
          id={field}
          mt="xs"
          label={say("ownVersion")}
          description={say("versionHint", { version: before })}
          placeholder={getNextVersion(before, suggestion) ?? ""}
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
      <DialogButtons close={close}>
        <Button type="submit" loading={release.isPending} disabled={!version}>
          {say("releaseNow", { version: version ?? "" })}
        </Button>
      </DialogButtons>
    </form>
  );
}

interface VersionChoicesProps {
  readonly before: string;
  readonly suggestion: Rise;
  readonly choice: Rise | "own";
  readonly choose: (choice: Rise | "own") => void;
}

function VersionChoices({ before, suggestion, choice, choose }: VersionChoicesProps) {
  const say = useWords("history");
  return (
    <Radio.Group value={choice} onChange={(value) => choose(value as Rise | "own")} label={say("version")}>
      <Stack gap={0} mt={6} className="box">
        {RISES.map((rise) => {
          const impact = IMPACTS.find((one) => VERSION_STEPS[one] === rise);
          return (
            <Radio
              key={rise}
              value={rise}
              className={styles.choice}
              label={
                <span className={styles.label}>
                  <strong>{getNextVersion(before, rise)}</strong>
                  <span className="inline-row quiet">
                    {impact && <ImpactSign impact={impact} />}
                    {impact && say(impact)}
                  </span>
                  {rise === suggestion && <span className={styles.suggested}>{say("suggested")}</span>}
                </span>
              }
            />
          );
        })}
        <Radio value="own" className={styles.choice} label={say("ownVersion")} />
      </Stack>
    </Radio.Group>
  );
}

type Rise = "major" | "minor" | "patch";

/** Parts of a version, most significant first. */
export const RISES: readonly Rise[] = ["major", "minor", "patch"];

/** The part of a version that a difference of each impact increases. */
const VERSION_STEPS: Readonly<Record<Impact, Rise>> = {
  breaking: "major",
  behavioural: "minor",
  additive: "minor",
  operational: "patch",
  cosmetic: "patch",
};

/** Returns the part of a version to increase for the most severe difference. */
export function findVersionStep(counts: Readonly<Record<Impact, number>>): Rise {
  const worst = IMPACTS.find((impact) => counts[impact] > 0);
  return worst ? VERSION_STEPS[worst] : "patch";
}

/** Returns the next version by Semantic Versioning, which may be the release of a pre-release; undefined if invalid. */
export function getNextVersion(version: string, rise: Rise): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/.exec(version);
  if (!match) return undefined;
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isBefore = match[4] !== undefined;
  if (rise === "major") return isBefore && minor === 0 && patch === 0 ? `${major}.0.0` : `${major + 1}.0.0`;
  if (rise === "minor") return isBefore && patch === 0 ? `${major}.${minor}.0` : `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
}

const MAX_REASONS = 5;

/** The texts that say why each part of a version increases. */
const REASONS = { major: "breaking", minor: "additive", patch: "cosmetic" } as const;

function VersionReasons({ comparison, before }: Pick<ReleaseFormProps, "comparison" | "before">) {
  const say = useWords("history");
  const sayChanges = useWords("changes");
  const kindWord = useKindWord();
  const worst = IMPACTS.find((impact) => comparison[impact] > 0);
  const step = worst && VERSION_STEPS[worst];
  if (!step) return <Text mb="md">{say("releaseNothing", { version: before })}</Text>;
  const reasons = comparison.entries.filter(({ impact }) => VERSION_STEPS[impact] === step);
  return (
    <>
      <div className={styles.counts}>
        {IMPACTS.map((impact) => (
          <span key={impact} data-none={comparison[impact] === 0 || undefined}>
            <ImpactSign impact={impact} /> {sayChanges(`count_${impact}`, { count: comparison[impact] })}
          </span>
        ))}
      </div>
      <Text mt="sm" mb="xs">
        {say(`because_${REASONS[step]}`, { count: reasons.length, version: before })}
      </Text>
      <ul className={styles.reasons}>
        {reasons.slice(0, MAX_REASONS).map((entry) => (
          <li key={`${entry.objectType} ${formatPath(entry)} ${entry.status}`}>
            <StatusSign status={entry.status} />
            <span>
              <span className="quiet">{kindWord(entry.objectType)}</span> <KeyText value={formatPath(entry)} strong />
              <span className={styles.reason} lang="en">
                {entry.reasons.join("; ")}
              </span>
            </span>
          </li>
        ))}
        {reasons.length > MAX_REASONS && <li>{say("andMore", { count: reasons.length - MAX_REASONS })}</li>}
      </ul>
    </>
  );
}
