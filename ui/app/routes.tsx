import { Button, Center } from "@mantine/core";
import { createRootRoute, createRoute, Link, Outlet, redirect, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { getToken } from "../api/session.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { loadLazily } from "../parts/lazily-loaded.tsx";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { useWords } from "../words/words.ts";
import { Shell } from "./shell.tsx";

/** Loads the module of a screen and returns the screen. */
type LoadScreen = () => Promise<() => ReactNode>;

/** Reads what stands after `?` in an address. */
type SearchReader<S> = (given: Record<string, unknown>) => S;

/** Above all screens. */
export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: PageBroken,
  notFoundComponent: PageMissing,
});

/** Around all screens that need somebody signed in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: ({ location }) => {
    if (getToken() === undefined) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
  },
});

/** Reads nothing after `?`. */
export const noSearch = (): Record<never, never> => ({});

const createScreen = (load: LoadScreen) => loadLazily(load, PageSkeleton, true);

/** A screen beside the rail, for those who are signed in. */
export const createScreenRoute = <const P extends string, S>(path: P, load: LoadScreen, search: SearchReader<S>) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    component: createScreen(load),
    errorComponent: PageBroken,
    validateSearch: search,
  });

/** A screen without the rail, for everybody. */
export const createBareRoute = <const P extends string, S>(path: P, load: LoadScreen, search: SearchReader<S>) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: createScreen(load),
    errorComponent: PageBroken,
    validateSearch: search,
  });

/** Leads from the bare address to a screen. */
export const home = (to: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

/** Shown where an address leads nowhere. */
function PageMissing(): ReactNode {
  const say = useWords("frame");
  const { pathname } = useLocation();
  return (
    <Center component="main" mih="60vh">
      <EmptyState
        isPage
        title={say("noSuchPage")}
        text={say("noSuchPageText", { path: pathname })}
        action={
          <Button component={Link} to="/">
            {say("toModels")}
          </Button>
        }
      />
    </Center>
  );
}

/** Shown where a screen throws while it is drawn; what the service refuses never comes here. */
function PageBroken({ error }: { readonly error: unknown }): ReactNode {
  const say = useWords("frame");
  return (
    <Center component="main" mih="60vh">
      <EmptyState
        isPage
        title={say("broken")}
        text={`${say("brokenText")} (${error instanceof Error ? error.message : String(error)})`}
        action={<Button onClick={() => globalThis.location.reload()}>{say("reload")}</Button>}
      />
    </Center>
  );
}
