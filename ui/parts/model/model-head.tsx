import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import type { WordName } from "../../words/en/words.ts";
import { useWords } from "../../words/words.ts";
import styles from "../page.module.css";
import { PageHeader, showCurrent } from "../page.tsx";
import { KeyText } from "../text/key-text.tsx";

interface ModelHeadProps {
  readonly modelRef: string;
  readonly title?: string;
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
}

/** Head of every screen of a model: name, key, version and authority, and the tabs. */
export function ModelHead({ modelRef, title, heading, actions }: ModelHeadProps): ReactNode {
  const say = useWords("model");
  const model = useRead("model/model_get", { modelRef: toRef(modelRef) }).data?.body;
  const name = model?.name || model?.key || modelRef.replace(/^\w+:/, "");
  return (
    <>
      <PageHeader
        title={title ? `${title} · ${name}` : name}
        heading={heading ?? <bdi lang="en">{name}</bdi>}
        crumbs={[
          <Link key="models" to="/models">
            {say("models")}
          </Link>,
        ]}
        state={
          model && (
            <>
              <KeyText value={model.key} />
              <Badge>{model.version}</Badge>
              {model.authority === "canonical" && <Badge variant="light">{say("canonical")}</Badge>}
            </>
          )
        }
        actions={actions}
      />
      <nav className={styles.tabs} aria-label={say("tabs")} ref={showCurrent}>
        {MODEL_TABS.map(({ to, word }) => (
          <Link
            key={to}
            to={to}
            // Every screen of a model has the model ref in its address.
            params={{ modelRef } as never}
            className={styles.tab}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {say(word)}
          </Link>
        ))}
      </nav>
    </>
  );
}

interface ModelTab {
  readonly to: string;
  readonly word: WordName<"model">;
}

/** Tabs of a model in their order. Add a line for a screen that belongs here. */
const MODEL_TABS: readonly ModelTab[] = [
  { to: "/models/$modelRef", word: "overview" },
  { to: "/models/$modelRef/diagram", word: "diagram" },
  { to: "/models/$modelRef/tags", word: "tags" },
  { to: "/models/$modelRef/history", word: "history" },
];
