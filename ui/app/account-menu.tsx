import { UnstyledButton } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useCaller } from "../api/rights.ts";
import { openedLater } from "../parts/opened-later.tsx";
import { useOpenedMenu } from "../parts/opened-menu.ts";
import { useFrameWords } from "../words/frame.ts";
import styles from "./rail.module.css";

const AccountDropdown = openedLater(
  async () => (await import("./account-dropdown.tsx")).AccountDropdown,
  ({ children }) => children,
);

/** Who is signed in; the menu behind it is loaded when somebody comes near to it. */
export function AccountMenu({ narrow }: { readonly narrow: boolean }): ReactNode {
  const say = useFrameWords();
  const caller = useCaller();
  const { isAsked, open, near } = useOpenedMenu(AccountDropdown);
  const button = (
    <UnstyledButton
      className={styles.item}
      aria-label={`${say("account")}: ${caller?.fullname ?? ""}`}
      aria-haspopup="menu"
      onClick={open}
    >
      <IconUserCircle size={18} stroke={1.7} aria-hidden />
      {!narrow && <span dir="auto">{caller?.fullname ?? say("account")}</span>}
    </UnstyledButton>
  );
  return (
    <span className="around" {...near}>
      {isAsked ? <AccountDropdown>{button}</AccountDropdown> : button}
    </span>
  );
}
