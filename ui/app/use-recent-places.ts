import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSession } from "../api/session.ts";
import { forgetPlaces, notePlace } from "./recent-places.ts";

/** The end of every title of a page. */
const OURS = " · Metaction";

/** Notes each page that is left, and forgets them when nobody is signed in any more. */
export function useRecentPlaces(): void {
  const router = useRouter();
  const session = useSession();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged || !document.title.endsWith(OURS)) return;
        notePlace({ href: fromLocation.href, title: document.title.slice(0, -OURS.length) });
      }),
    [router],
  );
  useEffect(() => {
    if (!session) forgetPlaces();
  }, [session]);
}
