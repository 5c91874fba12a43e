import { Text } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { Outlet, useLocation, useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { queries } from "../api/query-client.ts";
import { useIsWaitingForSignIn, useSession } from "../api/session.ts";
import { IconButton } from "../parts/icon-button.tsx";
import { loadLazily } from "../parts/lazily-loaded.tsx";
import { OfflineBanner } from "../parts/offline-banner.tsx";
import { useWords } from "../words/words.ts";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { PLACES } from "./rail-places.ts";
import { clearPlaces, recordPlace } from "./recent-places.ts";
import styles from "./shell.module.css";

const loadDialogs = () => import("./shell-dialogs.tsx");
const Sheet = loadLazily(async () => (await loadDialogs()).Sheet);
const KeysHelp = loadLazily(async () => (await loadDialogs()).KeysHelp);
const SessionEnded = loadLazily(async () => (await loadDialogs()).SessionEnded);

/** Frame of every screen: rail, palette, shortcut help and global messages. */
export function Shell(): ReactNode {
  const say = useWords("frame");
  const navigate = useNavigate();
  const location = useLocation();
  const session = useSession();
  const isAskedAgain = useIsWaitingForSignIn();
  const [narrow, setNarrow] = useLocalStorage({ key: "metaction.rail", defaultValue: false });
  const [sheet, { open: openSheet, close: closeSheet }] = useDisclosure(false);
  const [palette, { open: openPalette, close: closePalette }] = useDisclosure(false);
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
  useMarkedObject();
  useRecentPlaces();
  // After signing out, an address opened later leads to the sign-in page first.
  useEffect(() => {
    if (session) return;
    // Clears the cache after leaving the screens, which would read again otherwise.
    void navigate({ to: "/sign-in", replace: true }).then(() => queries.clear());
  }, [session, navigate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes when the address changes
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
        <IconButton size={40} iconSize={22} label={say("openMenu")} icon={IconMenu2} run={openSheet} />
        <Text fw={600} style={{ flex: 1 }}>
          Metaction
        </Text>
        <IconButton size={40} iconSize={20} label={say("palette")} icon={IconSearch} run={openPalette} />
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
      {palette && <Palette close={closePalette} />}
      {help && <KeysHelp close={closeHelp} />}
      {isAskedAgain && <SessionEnded />}
    </div>
  );
}

const TITLE_END = " · Metaction";

function useRecentPlaces() {
  const router = useRouter();
  const session = useSession();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged || !document.title.endsWith(TITLE_END)) return;
        recordPlace({ href: fromLocation.href, title: document.title.slice(0, -TITLE_END.length) });
      }),
    [router],
  );
  useEffect(() => {
    if (!session) clearPlaces();
  }, [session]);
}

/** Maximum milliseconds between the keys of a pair such as `g m`. */
const PAIR_TIMEOUT = 1_200;

function isWriting(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=combobox]");
}

function getKeyName({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey || key.length === 0) return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

/** Runs shortcuts; without `mod`, only while no text is typed. `table` must keep its identity between renders. */
function useKeys(table: ReadonlyMap<string, () => void>) {
  useEffect(() => {
    let before: { readonly key: string; readonly at: number } | undefined;
    const handleKey = (event: KeyboardEvent) => {
      const key = getKeyName(event);
      if (key === undefined || event.defaultPrevented) return;
      if (!key.startsWith("mod+") && (isWriting(event.target) || document.querySelector("[role=dialog]"))) return;
      const pair = before && event.timeStamp - before.at < PAIR_TIMEOUT ? `${before.key} ${key}` : undefined;
      const run = (pair && table.get(pair)) || table.get(key);
      before = run ? undefined : { key, at: event.timeStamp };
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [table]);
}

/** Milliseconds to wait for the object to appear, and milliseconds for which it stays marked. */
const MARK_TIME = 60_000;
const FOUND_TIME = 3_000;

/** The element to mark around a key: the row or box of the object. */
const ROW = "tr, li, [role=row], [data-row]";

function findKeyElement(key: string): Element | undefined {
  const all = document.querySelectorAll(`#content [data-key="${CSS.escape(key)}"]`);
  return [...all].find((one) => one.closest("header") === null);
}

function useMarkedObject() {
  // The current page: while the next one loads, the previous one may show the same key.
  const hash = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.hash ?? "" });
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same key on another page is marked again
  useEffect(() => {
    if (hash === "") return undefined;
    let row: Element | undefined;
    const stop = () => {
      watcher.disconnect();
      row?.removeAttribute("data-marked");
    };
    let end = setTimeout(stop, MARK_TIME);
    const mark = () => {
      // The page may replace the marked row while it renders.
      if (row?.isConnected) return;
      const match = findKeyElement(hash);
      if (!match) return;
      row = match.closest(ROW) ?? match;
      row.setAttribute("data-marked", "");
      row.scrollIntoView({ block: "center" });
      clearTimeout(end);
      end = setTimeout(stop, FOUND_TIME);
    };
    const watcher = new MutationObserver(mark);
    watcher.observe(document.body, { childList: true, subtree: true });
    mark();
    return () => {
      clearTimeout(end);
      stop();
    };
  }, [hash, pathname]);
}
