import { getRouteApi, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { BarePage } from "../../parts/bare-page.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useSignInWords } from "../../words/sign-in.ts";

const route = getRouteApi("/sign-in");

/** Asks who is there, and leads on to where the person wanted to go. */
export function Screen(): ReactNode {
  const say = useSignInWords();
  const { to } = route.useSearch();
  const router = useRouter();
  // Only an address of this application is a place to go on to.
  const next = to?.startsWith("/") && !to.startsWith("//") ? to : "/";
  return (
    <BarePage title={say("title")}>
      <SignInForm keepLabel={say("keep")} done={() => router.history.replace(next)} />
    </BarePage>
  );
}
