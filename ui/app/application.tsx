import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { queries } from "../api/query-client.ts";
import { markDocument } from "../words/language.ts";
import { Routed } from "./routed.tsx";
import { theme, variables } from "./theme.ts";

/** The whole application: theme, what was read, and the screens by address. */
export function Application(): ReactNode {
  useEffect(markDocument, []);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Routed />
      </QueryClientProvider>
    </MantineProvider>
  );
}
