import { ActionIcon, Text } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { queries } from "../api/query-client.ts";
import { useIsAskedAgain, useSession } from "../api/session.ts";
import { OfflineBanner } from "../parts/offline-banner.tsx";
import { openedLater } from "../parts/opened-later.tsx";
import { useFrameWords } from "../words/frame.ts";
import { endEarlyKeys, keepEarlyKeys } from "./early-keys.ts";
import { useKeys } from "./keyboard.ts";
import { useMarkedObject } from "./marked-object.ts";
import { Rail } from "./rail.tsx";
import { PLACES } from "./rail-places.ts";
import styles from "./shell.module.css";
import { useRecentPlaces } from "./use-recent-places.ts";

// What opens over a screen is loaded when it opens.
const Sheet = openedLater(async () => (await import("./sheet.tsx")).Sheet);
const KeysHelp = openedLater(async () => (await import("./keys-help.tsx")).KeysHelp);
const SessionEnded = openedLater(async () => (await import("./session-ended.tsx")).SessionEnded);
const Palette = openedLater(async () => (await import("./palette.tsx")).Palette);

/** The frame around every screen: rail, palette, help for keys, and what has to be told whatever the screen. */
export function Shell(): ReactNode {
  const say = useFrameWords();
  const navigate = useNavigate();
  const location = useLocation();
  const session = useSession();
  const isAskedAgain = useIsAskedAgain();
  const [narrow, setNarrow] = useLocalStorage({ key: "metaction.rail", defaultValue: false });
  const [sheet, { open: openSheet, close: closeSheet }] = useDisclosure(false);
  const [palette, { open: showPalette, close: hidePalette }] = useDisclosure(false);
  const [hadPalette, setHadPalette] = useState(false);
  if (palette && !hadPalette) setHadPalette(true);
  const closePalette = useCallback(() => {
    endEarlyKeys();
    hidePalette();
  }, [hidePalette]);
  const openPalette = useCallback(() => {
    if (palette) return;
    keepEarlyKeys(closePalette);
    showPalette();
    void Palette.preload().then(() => Palette.isThere() || endEarlyKeys());
  }, [palette, closePalette, showPalette]);
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  const search = useCallback(() => {
    void navigate({ to: "/search" }).then(() => document.getElementById("search")?.focus());
  }, [navigate]);
  const keys = useMemo(
    () =>
      new Map<string, () => void>([
        ["mod+k", openPalette],
        ["/", search],
        ["?", openHelp],
        ...PLACES.map((place) => [place.keys, () => void navigate({ to: place.to })] as const),
      ]),
    [navigate, openHelp, openPalette, search],
  );
  useKeys(keys);
  // The palette is there when it is asked for, and no part of the first load.
  useEffect(() => {
    const idle = globalThis.setTimeout(() => void Palette.preload(), 1_500);
    return () => clearTimeout(idle);
  }, []);
  useMarkedObject();
  useRecentPlaces();
  // Whoever signs out leaves the screens; an address that is opened later leads back to them.
  useEffect(() => {
    if (session) return;
    // What was read is forgotten once no screen is there that would read it again.
    void navigate({ to: "/sign-in", replace: true }).then(() => queries.clear());
  }, [session, navigate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes when the address is another
  useEffect(closeSheet, [location.pathname]);
  return (
    <div className={styles.shell} data-narrow={narrow || undefined}>
      <a className={styles.skip} href="#content">
        {say("skip")}
      </a>
      <div className={styles.side}>
        <Rail narrow={narrow} toggle={() => setNarrow(!narrow)} openPalette={openPalette} openHelp={openHelp} />
      </div>
      <nav className={styles.bar} aria-label="Metaction">
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={say("openMenu")} onClick={openSheet}>
          <IconMenu2 size={22} />
        </ActionIcon>
        <Text fw={600} style={{ flex: 1 }}>
          Metaction
        </Text>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={say("palette")} onClick={openPalette}>
          <IconSearch size={20} />
        </ActionIcon>
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <OfflineBanner />
        <Outlet />
      </main>
      {sheet && (
        <Sheet label={say("mainMenu")} close={closeSheet}>
          <Rail narrow={false} openPalette={openPalette} openHelp={openHelp} />
        </Sheet>
      )}
      {hadPalette && <Palette opened={palette} close={closePalette} />}
      {help && <KeysHelp close={closeHelp} />}
      {isAskedAgain && <SessionEnded />}
    </div>
  );
}
