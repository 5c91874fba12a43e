import { Button } from "@mantine/core";
import { IconArrowsDiff, IconTag } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { LinkButton } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model/model-head.tsx";
import { useWords } from "../../words/words.ts";
import { ChangesOfVersion } from "./changes-of-version.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";

const route = getRouteApi("/shell/models/$modelRef/history");

/** History of a model: versions, changes, releasing and restoring. */
export function HistoryScreen(): ReactNode {
  const say = useWords("history");
  const may = useMay();
  const { modelRef: rawRef } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const modelRef = toRef(rawRef);
  const model = useRead("model/model_get", { modelRef });
  const versions = useRead("model/history_versions", { modelRef, expand: "keys" });
  const summary = model.data?.body;
  const releases = versions.data?.body.items;
  const newest = releases?.[0]?.version;
  const ask = (dialog: { readonly do?: "release"; readonly restore?: string }) =>
    void navigate({ search: (before) => ({ ...before, do: undefined, restore: undefined, ...dialog }), replace: true });
  return (
    <>
      <ModelHead
        modelRef={rawRef}
        title={say("history")}
        actions={
          summary && (
            <>
              <LinkButton
                to="/compare"
                search={{ left: toKeyRef(summary.key), leftAt: newest, right: toKeyRef(summary.key) }}
                variant="default"
                leftSection={<IconArrowsDiff size={16} aria-hidden />}
              >
                {say("compareWithNow")}
              </LinkButton>
              {may("model/model_release") && (
                <Button leftSection={<IconTag size={16} aria-hidden />} onClick={() => ask({ do: "release" })}>
                  {say("release")}
                </Button>
              )}
            </>
          )
        }
      />
      <LoadedBody read={versions}>
        {({ items }) => (
          <ChangesOfVersion
            modelRef={modelRef}
            versions={items}
            isGone={model.error?.status === 404}
            restore={summary && may("model/model_restore") ? (state) => ask({ restore: state }) : undefined}
          />
        )}
      </LoadedBody>
      {summary && search.do === "release" && <ReleaseDialog model={summary} newest={newest} close={() => ask({})} />}
      {summary && search.restore !== undefined && (
        <RestoreDialog model={summary} state={search.restore} close={() => ask({})} />
      )}
    </>
  );
}
