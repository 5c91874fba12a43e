import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLogout } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { endSession } from "../api/session.ts";
import { useMenuFocus } from "../parts/menu-focus.ts";
import { useFrameWords } from "../words/frame.ts";
import { chooseLanguage, useLanguage } from "../words/language.ts";
import { LANGUAGES, type Language } from "../words/languages.ts";

const THEMES = { auto: "themeAuto", light: "themeLight", dark: "themeDark" } as const;

/** The menu of the account: theme, language and the way out. `children` is its button. */
export function AccountDropdown({ children }: { readonly children: ReactNode }): ReactNode {
  const say = useFrameWords();
  const language = useLanguage();
  const focus = useMenuFocus();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    // Within the rail, which is a landmark; `fixed`, since the rail cuts off what is wider than it is.
    <Menu
      position="top-start"
      width={220}
      {...focus.menu}
      withInitialFocusPlaceholder={false}
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown {...focus.dropdown}>
        <Choices
          title={say("theme")}
          choices={(["auto", "light", "dark"] as const).map((value) => ({ value, label: say(THEMES[value]) }))}
          chosen={colorScheme}
          choose={setColorScheme}
        />
        <Menu.Divider />
        <Choices
          title={say("language")}
          choices={(Object.keys(LANGUAGES) as Language[]).map((value) => ({
            value,
            label: <span lang={value}>{LANGUAGES[value]}</span>,
          }))}
          chosen={language}
          choose={(one) => void chooseLanguage(one)}
        />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={endSession}>
          {say("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoicesProps<V extends string> {
  readonly title: string;
  readonly choices: readonly { readonly value: V; readonly label: ReactNode }[];
  readonly chosen: V;
  readonly choose: (value: V) => void;
}

/** Entries of which one is chosen. */
function Choices<V extends string>({ title, choices, chosen, choose }: ChoicesProps<V>): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of entries of a menu has no element of its own
    <div role="group" aria-label={title}>
      <Menu.Label aria-hidden>{title}</Menu.Label>
      {choices.map(({ value, label }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          checked={value === chosen}
          checkIcon={<IconCheck size={16} />}
          closeMenuOnClick
          onChange={() => choose(value)}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </div>
  );
}
