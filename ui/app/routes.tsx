import { Button } from "@mantine/core";
import { createRootRoute, createRoute, Link, Outlet, redirect, useLocation } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { getToken } from "../api/session.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { loadLazily } from "../parts/lazily-loaded.tsx";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { useWords } from "../words/words.ts";
import { createSearchReader, type Readers } from "./search-params.ts";
import { Shell } from "./shell.tsx";

type LoadScreen = () => Promise<() => ReactNode>;

export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: PageBroken,
  notFoundComponent: PageMissing,
});

/** Parent of all routes that require a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: ({ location }) => {
    if (getToken() === undefined) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
  },
});

const createOptions = <const R extends Readers>(load: LoadScreen, readers: R) => ({
  component: loadLazily(load, PageSkeleton, true),
  errorComponent: PageBroken,
  validateSearch: createSearchReader(readers),
});

/** Creates the route of a screen with the rail; `readers` read its query parameters. */
export const createScreenRoute = <const P extends string, const R extends Readers>(
  path: P,
  load: LoadScreen,
  readers: R,
) => createRoute({ ...createOptions(load, readers), getParentRoute: () => shellRoute, path });

/** Creates the route of a screen without the rail, for everybody. */
export const createBareRoute = <const P extends string, const R extends Readers>(
  path: P,
  load: LoadScreen,
  readers: R,
) => createRoute({ ...createOptions(load, readers), getParentRoute: () => rootRoute, path });

/** Creates a redirect from the root address to a screen. */
export const createHomeRoute = (to: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

function PageMessage(props: ComponentProps<typeof EmptyState>) {
  return (
    <main style={{ display: "grid", placeItems: "center", minHeight: "60vh" }}>
      <EmptyState isPage {...props} />
    </main>
  );
}

function PageMissing() {
  const say = useWords("frame");
  const { pathname } = useLocation();
  return (
    <PageMessage
      title={say("noSuchPage")}
      text={say("noSuchPageText", { path: pathname })}
      action={
        <Button component={Link} to="/">
          {say("toModels")}
        </Button>
      }
    />
  );
}

/** Shown if a screen throws while rendering; refusals of the service are handled by the screens. */
function PageBroken({ error }: { readonly error: unknown }) {
  const say = useWords("frame");
  return (
    <PageMessage
      title={say("broken")}
      text={`${say("brokenText")} (${error instanceof Error ? error.message : String(error)})`}
      action={<Button onClick={() => globalThis.location.reload()}>{say("reload")}</Button>}
    />
  );
}
