import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ComponentProps, ComponentType, ReactNode } from "react";
import { BUILT_IN } from "../../../shared/domain/permissions.ts";
import { useMay } from "../../api/rights.ts";
import type { CreateProps } from "../../parts/dialogs/form-dialog.tsx";
import { LoadedGrid } from "../../parts/grid/loaded-grid.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { PageHeader, SplitView, showCurrent } from "../../parts/page.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";

const SECTIONS = [
  { to: "/administration/people", word: "people", needs: "auth/actor_list" },
  { to: "/administration/roles", word: "roles", needs: "auth/role_list" },
  { to: "/administration/tokens", word: "tokens", needs: "auth/token_list" },
  { to: "/administration/properties", word: "properties", needs: "property/definition_list" },
  { to: "/administration/issuers", word: "issuers", needs: "auth/actor_list" },
  { to: "/administration/audit", word: "audit", needs: "auth/audit_list" },
] as const;

type Section = (typeof SECTIONS)[number]["word"];

interface AdministrationFrameProps {
  readonly section: Section;
  readonly actions?: ReactNode;
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** Permitted sections, and the content of the current one. */
export function AdministrationFrame({ section, actions, panel, children }: AdministrationFrameProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const sections = SECTIONS.filter(({ needs, word }) => word === section || may(needs));
  return (
    <>
      <PageHeader title={say(section)} crumbs={[say("administration")]} actions={actions} />
      {/* Rendered again once the permissions are known, so that the current section is in view. */}
      <nav key={sections.length} className={styles.sections} aria-label={say("sections")} ref={showCurrent}>
        {sections.map(({ to, word }) => (
          <Link key={to} to={to} className={styles.section} aria-current={word === section ? "page" : undefined}>
            {say(word)}
          </Link>
        ))}
      </nav>
      <SplitView panel={panel}>
        <div className={styles.content}>{children}</div>
      </SplitView>
    </>
  );
}

/** Returns true if the service itself signs the person in. */
export const isBuiltIn = (issuer: string): boolean => issuer === BUILT_IN;

/** Returns a function that formats an issuer: its address, or the name of the service. */
export function useIssuerName(): (issuer: string) => string {
  const say = useWords("administration");
  return (issuer) => (isBuiltIn(issuer) ? say("builtIn") : issuer.replace(/^https:\/\//, ""));
}

/** Returns the key of a ref by key; any other text unchanged. */
export const findNameOfRef = (text: string): string => text.replace(/^key:/, "");

type OpenParameter = "role" | "definition" | "actor";

interface ListDialog {
  /** Value of the query parameter `do`. */
  readonly do: "create" | "create-service";
  readonly action: string;
  readonly label: string;
  readonly dialog: ComponentType<CreateProps>;
  /** Shows the created row; by default its panel opens. */
  readonly onCreated?: CreateProps["onCreated"];
}

/** Properties of the panel of a row. */
export interface RowPanelProps {
  readonly id: string;
  readonly close: () => Promise<unknown>;
}

interface AdministrationListProps<B, T>
  extends Omit<ComponentProps<typeof LoadedGrid<B, T>>, "name" | "label" | "open"> {
  readonly section: Section;
  /** Identifier of the list in the browser storage; the section by default. */
  readonly name?: string;
  /** Name of the list; that of the section by default. */
  readonly label?: string;
  readonly open?: OpenParameter;
  readonly panel?: ComponentType<RowPanelProps>;
  /** The main one comes last. */
  readonly dialogs?: readonly ListDialog[];
  readonly above?: ReactNode;
}

/** List section with dialogs and a panel for the open row. */
export function AdministrationList<B, T>(props: AdministrationListProps<B, T>): ReactNode {
  const { section, name = section, open, panel: RowPanel, dialogs = [], above, ...grid } = props;
  const say = useWords("administration");
  const may = useMay();
  const { search, change } = useQueryParameters();
  const openId = open && search[open];
  const entry = dialogs.find((dialog) => dialog.do === search.do);
  const openCreated = (id: string) => void change({ do: undefined, ...(open && { [open]: id }) });
  return (
    <AdministrationFrame
      section={section}
      panel={
        RowPanel && open && openId && <RowPanel key={openId} id={openId} close={() => change({ [open]: undefined })} />
      }
      actions={dialogs
        .filter(({ action }) => may(action))
        .map((dialog, at) => (
          <Button
            key={dialog.do}
            {...(at < dialogs.length - 1 && { variant: "default" })}
            onClick={() => change({ do: dialog.do })}
          >
            {dialog.label}
          </Button>
        ))}
    >
      {above}
      <LoadedGrid
        name={name}
        label={say(section)}
        {...grid}
        {...(open && { open: (row: T) => void change({ [open]: grid.getId(row) }) })}
        openId={openId}
      />
      {entry && (
        <entry.dialog close={() => void change({ do: undefined })} onCreated={entry.onCreated ?? openCreated} />
      )}
    </AdministrationFrame>
  );
}
