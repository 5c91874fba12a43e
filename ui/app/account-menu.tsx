import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLogout, IconUserCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useCaller } from "../api/rights.ts";
import { endSession } from "../api/session.ts";
import { useFrameWords } from "../words/frame.ts";
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "../words/language.ts";
import styles from "./rail.module.css";

const THEMES = { auto: "themeAuto", light: "themeLight", dark: "themeDark" } as const;

/** Who is signed in, with theme, language and the way out. */
export function AccountMenu({ narrow }: { readonly narrow: boolean }): ReactNode {
  const say = useFrameWords();
  const caller = useCaller();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mark = (chosen: boolean): ReactNode => <IconCheck size={16} visibility={chosen ? "visible" : "hidden"} />;
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={styles.item} aria-label={`${say("account")}: ${caller?.fullname ?? ""}`}>
          <IconUserCircle size={18} stroke={1.7} aria-hidden />
          {!narrow && <span dir="auto">{caller?.fullname ?? say("account")}</span>}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say("theme")}</Menu.Label>
        {(["auto", "light", "dark"] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={mark(scheme === colorScheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {say(THEMES[scheme])}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{say("language")}</Menu.Label>
        {(Object.keys(LANGUAGES) as Language[]).map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            role="menuitemradio"
            aria-checked={one === language}
            leftSection={mark(one === language)}
            onClick={() => void chooseLanguage(one)}
          >
            {LANGUAGES[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={endSession}>
          {say("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
