import { createRouter } from "@tanstack/react-router";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { rootRoute, shellRoute } from "./routes.tsx";
import { BARE_SCREENS, SCREENS } from "./screens.ts";

const tree = rootRoute.addChildren([...BARE_SCREENS, shellRoute.addChildren([...SCREENS])]);

/** All screens by their address. */
export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  // Of each screen once; of each entry of the history it would be remembered for ever.
  getScrollRestorationKey: ({ pathname }) => pathname,
  // Refs keep their colon.
  pathParamsAllowedCharacters: [":", "@", ",", "+", "=", "&", "$", ";"],
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
