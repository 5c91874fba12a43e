import { UnstyledButton } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useCaller } from "../api/rights.ts";
import { openedLater } from "../parts/opened-later.tsx";
import { useFrameWords } from "../words/frame.ts";
import styles from "./rail.module.css";

const AccountDropdown = openedLater(
  async () => (await import("./account-dropdown.tsx")).AccountDropdown,
  ({ children }) => children,
);

/** Who is signed in; the menu behind it is loaded when it is opened. */
export function AccountMenu({ narrow }: { readonly narrow: boolean }): ReactNode {
  const say = useFrameWords();
  const caller = useCaller();
  const [isAsked, setAsked] = useState(false);
  const button = (
    <UnstyledButton
      className={styles.item}
      aria-label={`${say("account")}: ${caller?.fullname ?? ""}`}
      aria-haspopup="menu"
      onClick={() => setAsked(true)}
    >
      <IconUserCircle size={18} stroke={1.7} aria-hidden />
      {!narrow && <span dir="auto">{caller?.fullname ?? say("account")}</span>}
    </UnstyledButton>
  );
  if (!isAsked) return button;
  return <AccountDropdown>{button}</AccountDropdown>;
}
