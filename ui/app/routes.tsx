import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { tokenNow } from "../api/session.ts";
import { openedLater } from "../parts/opened-later.tsx";
import { PageBroken, PageMissing } from "../parts/page-faults.tsx";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { Shell } from "./shell.tsx";

/** A module of a screen, loaded when somebody goes there; it exports `Screen`. */
type ScreenModule = () => Promise<{ readonly Screen: () => ReactNode }>;

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
    if (tokenNow() === undefined) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
  },
});

/** Reads nothing after `?`. */
export const noSearch = (): Record<never, never> => ({});

const screenOf = (load: ScreenModule) => openedLater(async () => (await load()).Screen, PageSkeleton, true);

/** A screen beside the rail, for those who are signed in. */
export const screen = <const P extends string, S>(path: P, load: ScreenModule, search: SearchReader<S>) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    component: screenOf(load),
    errorComponent: PageBroken,
    validateSearch: search,
  });

/** A screen without the rail, for everybody. */
export const bareScreen = <const P extends string, S>(path: P, load: ScreenModule, search: SearchReader<S>) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: screenOf(load),
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
