import { Button } from "@mantine/core";
import { IconArrowsDiff, IconTag } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { LinkButton } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
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
  const { modelRef: written } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const modelRef = toRef(written);
  const model = useRead("model/model_get", { modelRef });
  const versions = useRead("model/history_versions", { modelRef, expand: "keys" });
  const about = model.data?.body;
  const released = versions.data?.body.items;
  const newest = released?.[0]?.version;
  const ask = (dialog: { readonly do?: "release"; readonly restore?: string }): void =>
    void navigate({ search: (before) => ({ ...before, do: undefined, restore: undefined, ...dialog }), replace: true });
  return (
    <>
      <ModelHead
        modelRef={written}
        title={say("history")}
        actions={
          about && (
            <>
              <LinkButton
                to="/compare"
                search={{ left: toKeyRef(about.key), leftAt: newest, right: toKeyRef(about.key) }}
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
      <Loaded read={versions}>
        {({ items }) => (
          <ChangesOfVersion
            modelRef={modelRef}
            versions={items}
            isGone={model.error?.status === 404}
            restore={about && may("model/model_restore") ? (moment) => ask({ restore: moment }) : undefined}
          />
        )}
      </Loaded>
      {about && search.do === "release" && <ReleaseDialog model={about} newest={newest} close={() => ask({})} />}
      {about && search.restore !== undefined && (
        <RestoreDialog model={about} moment={search.restore} close={() => ask({})} />
      )}
    </>
  );
}
