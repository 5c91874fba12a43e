import { getRouteApi } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useMemberEdit, useTextEdit } from "../../api/text-edit.ts";
import { DownloadButton } from "../../parts/download-as/download-button.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model-head.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { useModelWords } from "../../words/model.ts";
import { ModelActions } from "./model-actions.tsx";
import { ModelContents } from "./model-contents.tsx";
import { ModelFacts } from "./model-facts.tsx";
import styles from "./model-screen.module.css";

const route = getRouteApi("/shell/models/$modelRef");

/** One model: what it is in its own words, its facts, and what is in it. */
export function Screen(): ReactNode {
  const say = useModelWords();
  const modelRef = refOf(route.useParams().modelRef);
  const may = useMay();
  const input = { modelRef };
  const read = useRead("model/model_get", input);
  const name = useTextEdit({
    read: "model/model_get",
    input,
    pick: (body) => body.name,
    put: (body, text) => ({ ...body, name: text }),
    write: "model/model_update_name",
    written: (value) => ({ modelRef, name: value }),
  });
  const description = useMemberEdit(
    { read: "model/model_get", input, refs: { modelRef } },
    "description",
    "model/model_update_description",
  );
  const mayName = may("model/model_update_name");
  const mayDescribe = may("model/model_update_description");
  return (
    <Loaded read={read} past={<PastLink modelRef={modelRef} />}>
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
            heading={<EditableText label={say("name")} edit={name} mayEdit={mayName} most={200} />}
          />
          <PageBody>
            <div className={styles.intro}>
              <EditableText
                label={say("description")}
                kind="markdown"
                edit={description}
                mayEdit={mayDescribe}
                placeholder={say(mayDescribe ? "addDescription" : "noDescription")}
              />
            </div>
            <ModelFacts model={model} modelRef={modelRef} etag={etag} />
            <ModelContents modelRef={modelRef} />
          </PageBody>
        </Fragment>
      )}
    </Loaded>
  );
}
