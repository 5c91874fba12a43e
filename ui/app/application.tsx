import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useEffect, useReducer } from "react";
import { queries } from "../api/query-client.ts";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { rootRoute, shellRoute } from "./routes.tsx";
import { BARE_SCREENS, SCREENS } from "./screens.ts";

/** The whole application: theme, cached answers and routes. */
export function Application(): ReactNode {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={createVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RoutedScreens />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const MAX_VISITS = 50;

/** Renders the routes. React retains the states that the router sets, so it is rendered again after `MAX_VISITS`. */
function RoutedScreens() {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    let visits = 0;
    return router.subscribe("onResolved", () => {
      visits += 1;
      if (visits % MAX_VISITS === 0) redraw();
    });
  }, []);
  return <RouterProvider router={router} />;
}

const tree = rootRoute.addChildren([...BARE_SCREENS, shellRoute.addChildren([...SCREENS])]);

const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  // Remembers scrolling per screen; per history entry it would grow without limit.
  getScrollRestorationKey: ({ pathname }) => pathname,
  // Keeps the colon of refs readable in addresses.
  pathParamsAllowedCharacters: [":", "@", ",", "+", "=", "&", "$", ";"],
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const accent: MantineColorsTuple = [
  "#eff4ff",
  "#dbe6fe",
  "#bfd3fe",
  "#93b4fd",
  "#6f9bfb",
  "#3b6ef5",
  "#2552e0",
  "#1d41bd",
  "#1e3a99",
  "#1d3478",
];

const gray: MantineColorsTuple = [
  "#f8f9fb",
  "#f1f3f6",
  "#e6e9ee",
  "#d8dce3",
  "#c2c8d1",
  "#9aa2ae",
  "#5c6470",
  "#454c56",
  "#30353d",
  "#1b1f24",
];

/** From the text colour to the deepest background; index 7 is the page. */
const dark: MantineColorsTuple = [
  "#e3e6eb",
  "#c3c8d0",
  "#9aa2ae",
  "#6b737f",
  "#343a43",
  "#2a2f37",
  "#1f2329",
  "#16191d",
  "#101215",
  "#0b0c0e",
];

const theme = createTheme({
  primaryColor: "accent",
  primaryShade: 6,
  colors: { accent, gray, dark },
  black: "#1b1f24",
  defaultRadius: 6,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.3", sm: "1.4", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.5" },
    },
  },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: "default", tt: "none", fw: 500 } },
    Button: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 400 } },
    InputWrapper: {
      styles: {
        label: { overflowWrap: "anywhere" },
        description: { fontSize: "var(--mantine-font-size-xs)", lineHeight: 1.35 },
      },
    },
    Modal: {
      styles: { title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)", lineHeight: 1.35 } },
      defaultProps: { yOffset: "10vh", transitionProps: { duration: 120 } },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    Menu: { defaultProps: { transitionProps: { duration: 100 } } },
    Popover: { defaultProps: { transitionProps: { duration: 100 } } },
  },
});

/** Colours of texts on the page that need a contrast of at least 4.5. */
const createVariables: CSSVariablesResolver = () => ({
  variables: { "--rail-width": "240px", "--panel-width": "380px", "--reading-width": "1120px" },
  light: {
    "--mantine-color-error": "#c22727",
    "--mantine-color-placeholder": "#6a7280",
    "--page-rail": "var(--mantine-color-gray-0)",
    "--page-raised": "#fff",
    "--page-line": "var(--mantine-color-gray-2)",
    "--page-hover": "var(--mantine-color-gray-1)",
    "--page-chosen": "var(--mantine-color-accent-0)",
    "--sign-breaking": "#b42318",
    "--sign-additive": "#8a5a00",
    "--sign-cosmetic": "#5c6470",
    "--sign-good": "#1a7340",
  },
  dark: {
    "--mantine-color-error": "#ff8f8f",
    "--mantine-color-placeholder": "#8a929e",
    "--page-rail": "#101215",
    "--page-raised": "#1b1f24",
    "--page-line": "#2a2f37",
    "--page-hover": "#1f2329",
    "--page-chosen": "#1c2a4d",
    "--sign-breaking": "#ff9a8f",
    "--sign-additive": "#f0b849",
    "--sign-cosmetic": "#9aa2ae",
    "--sign-good": "#6fd195",
  },
});
