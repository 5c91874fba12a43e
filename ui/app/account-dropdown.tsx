import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { endSession } from "../api/session.ts";
import { useFrameWords } from "../words/frame.ts";
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "../words/language.ts";

const THEMES = { auto: "themeAuto", light: "themeLight", dark: "themeDark" } as const;

/** The menu of the account: theme, language and the way out. `children` is its button. */
export function AccountDropdown({ children }: { readonly children: ReactNode }): ReactNode {
  const say = useFrameWords();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mark = (chosen: boolean): ReactNode => <IconCheck size={16} visibility={chosen ? "visible" : "hidden"} />;
  return (
    <Menu position="top-start" width={220} defaultOpened>
      <Menu.Target>{children}</Menu.Target>
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
