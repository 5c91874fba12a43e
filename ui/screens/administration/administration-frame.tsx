import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../../api/rights.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { Split } from "../../parts/panel.tsx";
import { showCurrent } from "../../parts/show-current.ts";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";

/** The sections, with the action that a person has to be allowed to run to see one. */
const SECTIONS = [
  { to: "/administration/people", word: "people", needs: "auth/actor_list" },
  { to: "/administration/roles", word: "roles", needs: "auth/role_list" },
  { to: "/administration/tokens", word: "tokens", needs: "auth/token_list" },
  { to: "/administration/properties", word: "properties", needs: "property/definition_list" },
  { to: "/administration/issuers", word: "issuers", needs: "auth/actor_list" },
  { to: "/administration/audit", word: "audit", needs: "auth/audit_list" },
] as const;

interface AdministrationFrameProps {
  /** The section that is shown. */
  readonly section: (typeof SECTIONS)[number]["word"];
  /** The buttons of the section. */
  readonly actions?: ReactNode;
  /** What is selected, beside the section. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** The head of the administration with the sections that the person may see, and below it the one that is shown. */
export function AdministrationFrame({ section, actions, panel, children }: AdministrationFrameProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const shown = SECTIONS.filter(({ needs, word }) => word === section || may(needs));
  return (
    <>
      <PageHeader title={say(section)} crumbs={[say("title")]} actions={actions} />
      {/* Drawn anew once it is known what the person may see, so that the section is in sight among all. */}
      <nav key={shown.length} className={styles.sections} aria-label={say("sections")} ref={showCurrent}>
        {shown.map(({ to, word }) => (
          <Link key={to} to={to} className={styles.section} aria-current={word === section ? "page" : undefined}>
            {say(word)}
          </Link>
        ))}
      </nav>
      <Split panel={panel}>
        <div className={styles.content}>{children}</div>
      </Split>
    </>
  );
}
