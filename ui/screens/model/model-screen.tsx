import { Anchor, NativeSelect } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { useMemberEdit, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { invalidateModel, sendWrite, useWrite } from "../../api/writes.ts";
import { DownloadButton } from "../../parts/formats/download-button.tsx";
import { PastLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { useModelActions } from "../../parts/model/model-actions.tsx";
import { ModelHead } from "../../parts/model/model-head.tsx";
import { PageBody } from "../../parts/page.tsx";
import { ActionMenu } from "../../parts/pickers/action-menu.tsx";
import { TagPicker } from "../../parts/pickers/tag-picker.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { useWords } from "../../words/words.ts";
import { ModelContents } from "./model-contents.tsx";
import styles from "./model-screen.module.css";

const route = getRouteApi("/shell/models/$modelRef");

/** Screen of a model: description, facts and contents. */
export function ModelScreen(): ReactNode {
  const say = useWords("model");
  const modelRef = toRef(route.useParams().modelRef);
  const input = { modelRef };
  const read = useRead("model/model_get", input);
  const name = useTextEdit({
    read: "model/model_get",
    input,
    pick: (body) => body.name,
    put: (body, text) => ({ ...body, name: text }),
    write: "model/model_update_name",
    toInput: (value) => ({ modelRef, name: value }),
  });
  const description = useMemberEdit(
    { read: "model/model_get", input, refs: { modelRef } },
    "description",
    "model/model_update_description",
  );
  return (
    <LoadedBody read={read} past={<PastLink modelRef={modelRef} />}>
      {(model, { etag }) => (
        <Fragment key={model.id}>
          <ModelHead
            modelRef={modelRef}
            actions={
              <>
                <DownloadButton what={{ action: "model/model_export_as", input: { modelRef: `id:${model.id}` } }} />
                <ModelActions model={model} etag={etag} />
              </>
            }
            heading={<EditableText label={say("nameText")} edit={name} most={200} />}
          />
          <PageBody>
            <div className={styles.intro}>
              <EditableText
                label={say("descriptionText")}
                kind="markdown"
                edit={description}
                placeholder={say(description.mayEdit ? "addDescription" : "noDescription")}
              />
            </div>
            <ModelFacts model={model} modelRef={modelRef} etag={etag} />
            <ModelContents modelRef={modelRef} />
          </PageBody>
        </Fragment>
      )}
    </LoadedBody>
  );
}

interface ModelActionsProps {
  readonly model: OutputOf<"model/model_get">;
  readonly etag: string | undefined;
}

function ModelActions({ model, etag }: ModelActionsProps) {
  const say = useWords("model");
  const navigate = useNavigate();
  const { listActions, dialog } = useModelActions({
    ifMatch: etag,
    open: (key) => void navigate({ to: "/models/$modelRef", params: { modelRef: toKeyRef(key) } }),
    onDeleted: () => navigate({ to: "/models" }),
  });
  return (
    <>
      <ActionMenu label={say("more")} actions={listActions(model)} />
      {dialog}
    </>
  );
}

interface ModelFactsProps {
  readonly model: OutputOf<"model/model_get">;
  readonly modelRef: RefText;
  readonly etag: string | undefined;
}

function ModelFacts({ model, modelRef, etag }: ModelFactsProps) {
  const say = useWords("model");
  const may = useMay();
  const navigate = useNavigate();
  const input = { modelRef };
  const setAuthority = useWrite("model/model_update_authority");
  const client = useQueryClient();
  const home = useMemberEdit(
    { read: "model/model_get", input, refs: { modelRef } },
    "documentationHome",
    "model/model_update_documentation_link",
  );
  const key = {
    value: model.key,
    mayEdit: may("model/model_update_key"),
    save: async (text: string) => {
      await sendWrite("model/model_update_key", { input: { modelRef, value: text }, ifMatch: etag });
      // The address contains the old key of the model.
      if (modelRef.startsWith("key:"))
        await navigate({ to: "/models/$modelRef", params: { modelRef: toKeyRef(text) }, replace: true });
      await invalidateModel(client, undefined);
    },
  };
  const mayEdit = may("model/model_update_authority");
  const isAddress = /^https?:\/\//.test(home.value);
  return (
    <dl className={styles.facts} aria-label={say("facts")}>
      <Fact term={say("key")} className={styles.key}>
        <EditableText label={say("keyText")} edit={key} most={128} />
      </Fact>
      <Fact term={say("version")}>
        {model.version} <UnreleasedCount modelRef={modelRef} revision={model.revision} />
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
              setAuthority.mutate({ input: { modelRef, value }, ifMatch: etag });
            }}
          />
        ) : (
          say(model.authority)
        )}
      </Fact>
      <Fact term={say("documentation")} className={styles.address}>
        <EditableText label={say("documentationLabel")} edit={home} />
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
          actions={{ addTag: "model/model_add_tag", deleteTag: "model/model_delete_tag" }}
          refs={input}
        />
      </Fact>
      {setAuthority.error && (
        <div className={styles.all}>
          <ProblemBox problem={setAuthority.error} />
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

function Fact({ term, className, children }: FactProps) {
  return (
    <div className={className}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function UnreleasedCount({ modelRef, revision }: { readonly modelRef: RefText; readonly revision: number }) {
  const say = useWords("model");
  const newest = useRead("model/history_versions", { modelRef, limit: 1 }).data?.body.items[0];
  if (!newest) return null;
  const count = revision - newest.revision;
  return (
    <span style={{ color: "var(--mantine-color-dimmed)" }}>
      {count > 0 ? say("unreleased", { count }) : say("released")}
    </span>
  );
}
