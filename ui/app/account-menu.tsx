import { UnstyledButton } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useCaller } from "../api/rights.ts";
import { useFrameWords } from "../words/frame.ts";
import styles from "./rail.module.css";

const AccountDropdown = lazy(async () => ({ default: (await import("./account-dropdown.tsx")).AccountDropdown }));

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
  return (
    <Suspense fallback={button}>
      <AccountDropdown>{button}</AccountDropdown>
    </Suspense>
  );
}
