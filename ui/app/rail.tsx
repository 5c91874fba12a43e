import { Kbd, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import {
  IconCommand,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconUserCircle,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCaller, useMay } from "../api/rights.ts";
import { signOut } from "../api/service.ts";
import icon from "../parts/icon.svg";
import { ActionMenu } from "../parts/pickers/action-menu.tsx";
import type { MenuChoices } from "../parts/pickers/floating.tsx";
import { LANGUAGES, type Language } from "../words/language.ts";
import { chooseLanguage, useLanguage, useWords } from "../words/words.ts";
import { PLACES } from "./rail-places.ts";
import styles from "./shell.module.css";

interface RailProps {
  readonly narrow: boolean;
  readonly toggle?: () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/** The rail on the left: places, palette, and the account at the bottom. */
export function Rail({ narrow, toggle, openPalette, openHelp }: RailProps): ReactNode {
  const say = useWords("frame");
  const may = useMay();
  const places = PLACES.filter(({ needs }) => needs === undefined || may(needs));
  const withLabel = (label: string, item: ReactNode) => (
    <div key={label} {...(narrow && { title: label })}>
      {item}
    </div>
  );
  // A name has to contain the visible text (WCAG 2.5.3).
  const renderButton = (label: string, Icon: typeof IconCommand, run: () => void, text: string, keys?: string) =>
    withLabel(
      label,
      <UnstyledButton
        className={styles.item}
        onClick={run}
        {...((narrow || label.startsWith(text)) && { "aria-label": label })}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        {!narrow && <span>{text}</span>}
        {!narrow && keys && <Kbd size="xs">{keys}</Kbd>}
      </UnstyledButton>,
    );
  return (
    <nav className={styles.rail} aria-label={say("mainMenu")}>
      <div className={styles.brand}>
        <img src={icon} alt="" width={24} height={24} />
        {!narrow && <span>Metaction</span>}
      </div>
      {renderButton(say("palette"), IconCommand, openPalette, say("goTo"), "Ctrl K")}
      {places.map(({ to, word, icon: Icon }) =>
        withLabel(
          say(word),
          <Link to={to} className={styles.item} activeOptions={{ exact: false }} aria-label={say(word)}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {!narrow && <span>{say(word)}</span>}
          </Link>,
        ),
      )}
      <div className="grow" />
      {toggle &&
        renderButton(
          say(narrow ? "expand" : "collapse"),
          narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse,
          toggle,
          say("collapse"),
        )}
      {renderButton(say("keys"), IconKeyboard, openHelp, say("keys"), "?")}
      <AccountMenu narrow={narrow} />
    </nav>
  );
}

const THEMES = { auto: "themeAuto", light: "themeLight", dark: "themeDark" } as const;
type Theme = keyof typeof THEMES;

function AccountMenu({ narrow }: { readonly narrow: boolean }) {
  const say = useWords("frame");
  const language = useLanguage();
  const caller = useCaller();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const themes: MenuChoices = {
    title: say("theme"),
    items: (Object.keys(THEMES) as Theme[]).map((value) => ({ value, label: say(THEMES[value]) })),
    choice: colorScheme,
    choose: (value) => setColorScheme(value as Theme),
  };
  const languages: MenuChoices = {
    title: say("language"),
    items: Object.entries(LANGUAGES).map(([value, name]) => ({ value, label: <span lang={value}>{name}</span> })),
    choice: language,
    choose: (value) => void chooseLanguage(value as Language),
  };
  return (
    <ActionMenu
      label={say("account")}
      choices={[themes, languages]}
      actions={[{ label: say("signOut"), icon: IconLogout, run: signOut }]}
      isInRail
      button={
        <UnstyledButton className={styles.item} aria-label={`${say("account")}: ${caller?.fullname ?? ""}`}>
          <IconUserCircle size={18} stroke={1.7} aria-hidden />
          {!narrow && <span dir="auto">{caller?.fullname ?? say("account")}</span>}
        </UnstyledButton>
      }
    />
  );
}
