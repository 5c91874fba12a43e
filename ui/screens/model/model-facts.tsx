import { Anchor, NativeSelect } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef, type RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useMemberEdit } from "../../api/text-edit.ts";
import { forgetModel, sendWrite, useWrite } from "../../api/writes.ts";
import { EditableText } from "../../parts/editable-text.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TagPicker } from "../../parts/tag-picker.tsx";
import { useModelWords } from "../../words/model.ts";
import styles from "./model-screen.module.css";

interface ModelFactsProps {
  readonly model: OutputOf<"model/model_get">;
  readonly modelRef: RefText;
  readonly etag: string | undefined;
}

/** The short facts of a model, each changed where it stands. */
export function ModelFacts({ model, modelRef, etag }: ModelFactsProps): ReactNode {
  const say = useModelWords();
  const may = useMay();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<unknown>();
  const input = { modelRef };
  const setAuthority = useWrite("model/model_update_authority");
  const client = useQueryClient();
  const addTag = useWrite("model/model_add_tag");
  const deleteTag = useWrite("model/model_delete_tag");
  const home = useMemberEdit(
    { read: "model/model_get", input, refs: { modelRef } },
    "documentationHome",
    "model/model_update_documentation_link",
  );
  const key = {
    value: model.key,
    save: async (text: string) => {
      await sendWrite("model/model_update_key", { input: { modelRef, value: text }, ifMatch: etag });
      // The address names the model by its key, which is another one now.
      if (modelRef.startsWith("key:"))
        await navigate({ to: "/models/$modelRef", params: { modelRef: keyRef(text) }, replace: true });
      await forgetModel(client, undefined);
    },
  };
  const mayEdit = may("model/model_update_authority");
  const isAddress = /^https?:\/\//.test(home.value);
  return (
    <dl className={styles.facts} aria-label={say("facts")}>
      <Fact term={say("keyFact")} className={styles.key}>
        <EditableText label={say("key")} edit={key} mayEdit={may("model/model_update_key")} most={128} />
      </Fact>
      <Fact term={say("version")}>
        {model.version} <Unreleased modelRef={modelRef} revision={model.revision} />
      </Fact>
      <Fact term={say("authority")}>
        {mayEdit ? (
          <NativeSelect
            size="xs"
            aria-label={say("authority")}
            value={model.authority}
            data={[
              { value: "system", label: say("system") },
              { value: "canonical", label: say("canonical") },
            ]}
            onChange={(event) => {
              const value = event.currentTarget.value === "canonical" ? "canonical" : "system";
              setAuthority.mutateAsync({ input: { modelRef, value }, ifMatch: etag }).catch(setProblem);
            }}
          />
        ) : (
          say(model.authority)
        )}
      </Fact>
      <Fact term={say("documentation")} className={styles.address}>
        <EditableText
          label={say("documentationLabel")}
          edit={home}
          mayEdit={may("model/model_update_documentation_link")}
        />
        {isAddress && (
          <Anchor href={home.value} target="_blank" rel="noreferrer noopener" aria-label={say("openDocumentation")}>
            <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
      </Fact>
      <Fact term={say("tags")} className={styles.all}>
        <TagPicker
          modelRef={modelRef}
          tags={model.tags}
          mayEdit={may("model/model_add_tag")}
          add={(tagRef) => addTag.mutateAsync({ input: { modelRef, tagRef } })}
          remove={(tagRef) => deleteTag.mutateAsync({ input: { modelRef, tagRef } })}
        />
      </Fact>
      {problem !== undefined && (
        <div className={styles.all}>
          <ProblemBox problem={problem} />
        </div>
      )}
    </dl>
  );
}

interface FactProps {
  readonly term: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

function Fact({ term, className, children }: FactProps): ReactNode {
  return (
    <div className={className}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How many revisions came after the newest release. */
function Unreleased({ modelRef, revision }: { readonly modelRef: RefText; readonly revision: number }): ReactNode {
  const say = useModelWords();
  const newest = useRead("model/history_versions", { modelRef, limit: 1 }).data?.body.items[0];
  if (!newest) return null;
  const count = revision - newest.revision;
  return (
    <span style={{ color: "var(--mantine-color-dimmed)" }}>
      {count > 0 ? say("unreleased", { count }) : say("released")}
    </span>
  );
}
