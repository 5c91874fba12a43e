import { Button, Center } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFrameWords } from "../words/frame.ts";
import { EmptyState } from "./empty-state.tsx";

/** Shown where an address leads nowhere. */
export function PageMissing(): ReactNode {
  const say = useFrameWords();
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
export function PageBroken({ error }: { readonly error: unknown }): ReactNode {
  const say = useFrameWords();
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
