import { Kbd, UnstyledButton } from "@mantine/core";
import {
  IconCommand,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../api/rights.ts";
import icon from "../parts/icon.svg";
import { useFrameWords } from "../words/frame.ts";
import { AccountMenu } from "./account-menu.tsx";
import styles from "./rail.module.css";
import { PLACES } from "./rail-places.ts";

interface RailProps {
  /** Icons only. */
  readonly narrow: boolean;
  readonly toggle?: () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/** The rail at the left: places, palette, and at the bottom the account. */
export function Rail({ narrow, toggle, openPalette, openHelp }: RailProps): ReactNode {
  const say = useFrameWords();
  const may = useMay();
  const places = PLACES.filter(({ needs }) => needs === undefined || may(needs));
  const labelled = (label: string, item: ReactNode): ReactNode => (
    <div key={label} {...(narrow && { title: label })}>
      {item}
    </div>
  );
  return (
    <nav className={styles.rail} aria-label={say("mainMenu")}>
      <div className={styles.brand}>
        <img src={icon} alt="" width={24} height={24} />
        {!narrow && <span>Metaction</span>}
      </div>
      {labelled(
        say("palette"),
        <UnstyledButton className={styles.item} onClick={openPalette} {...(narrow && { "aria-label": say("palette") })}>
          <IconCommand size={18} stroke={1.7} aria-hidden />
          {!narrow && <span>{say("goTo")}</span>}
          {!narrow && <Kbd size="xs">Ctrl K</Kbd>}
        </UnstyledButton>,
      )}
      {places.map(({ to, word, icon: Icon }) =>
        labelled(
          say(word),
          <Link to={to} className={styles.item} activeOptions={{ exact: false }} aria-label={say(word)}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {!narrow && <span>{say(word)}</span>}
          </Link>,
        ),
      )}
      <div className={styles.space} />
      {toggle &&
        labelled(
          say(narrow ? "expand" : "collapse"),
          <UnstyledButton className={styles.item} onClick={toggle} aria-label={say(narrow ? "expand" : "collapse")}>
            {narrow ? (
              <IconLayoutSidebarLeftExpand size={18} stroke={1.7} aria-hidden />
            ) : (
              <IconLayoutSidebarLeftCollapse size={18} stroke={1.7} aria-hidden />
            )}
            {!narrow && <span>{say("collapse")}</span>}
          </UnstyledButton>,
        )}
      {labelled(
        say("keys"),
        <UnstyledButton className={styles.item} onClick={openHelp} aria-label={say("keys")}>
          <IconKeyboard size={18} stroke={1.7} aria-hidden />
          {!narrow && <span>{say("keys")}</span>}
          {!narrow && <Kbd size="xs">?</Kbd>}
        </UnstyledButton>,
      )}
      <AccountMenu narrow={narrow} />
    </nav>
  );
}
