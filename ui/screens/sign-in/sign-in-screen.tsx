import { Alert, Anchor, Text } from "@mantine/core";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { arrival } from "../../api/arrival.ts";
import type { Provider } from "../../api/provider.ts";
import { useRead } from "../../api/reads.ts";
import { beginSession } from "../../api/session.ts";
import { tellToken } from "../../api/sign-in-window.ts";
import { BarePage } from "../../parts/bare-page.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useSignInWords } from "../../words/sign-in.ts";

const route = getRouteApi("/sign-in");

/** Only an address of this application is a place to go on to. */
const placeIn = (to: string | undefined): string => (to && /^\/(?![/\\])/.test(to) ? to : "/");

/** Asks who is there, or takes a person back from a provider, and leads on to where they wanted to go. */
export function Screen(): ReactNode {
  const say = useSignInWords();
  const options = useRead("config/sign_in_options", {});
  return (
    <BarePage title={say("title")}>
      <Loaded read={options}>{({ issuers, firstRun }) => <Ways providers={issuers} isFirstRun={firstRun} />}</Loaded>
    </BarePage>
  );
}

interface WaysProps {
  readonly providers: readonly Provider[];
  readonly isFirstRun: boolean;
}

function Ways({ providers, isFirstRun }: WaysProps): ReactNode {
  const say = useSignInWords();
  const { to, at, channel, code, error } = route.useSearch();
  const router = useRouter();
  const [refused, setRefused] = useState<string>();
  const isBegun = useRef(false);
  const isComing = code !== undefined || error !== undefined;
  const goTo = async (provider: Provider, kept: boolean): Promise<void> => {
    const { goToProvider } = await import("../../api/provider.ts");
    await goToProvider(provider, { to: placeIn(to), kept, channel });
  };
  useEffect(() => {
    // The code can be used once, and an effect may run twice.
    if (isBegun.current) return;
    isBegun.current = true;
    const come = async (): Promise<void> => {
      const { comeFromProvider } = await import("../../api/provider.ts");
      const signed = await comeFromProvider(arrival, providers);
      if (signed.channel) return tellToken(signed.channel, signed);
      beginSession(signed.token, signed.seconds, signed.kept);
      router.history.replace(placeIn(signed.to));
    };
    const there = providers.find(({ issuer }) => issuer === at);
    const work = isComing ? come() : there && channel ? goTo(there, false) : undefined;
    work?.catch((failure: unknown) => setRefused(failure instanceof Error ? failure.message : String(failure)));
  });
  if (isComing && refused === undefined) return <Text role="status">{say("callback")}</Text>;
  return (
    <>
      {refused !== undefined && (
        <Alert role="alert" variant="outline" color="red" title={say("refused")} mb="md">
          <span lang="en">{refused}</span>
        </Alert>
      )}
      {isFirstRun && (
        <Text mb="md">
          {say("firstHint")}{" "}
          <Anchor component={Link} to="/first-run">
            {say("firstLink")}
          </Anchor>
        </Text>
      )}
      <SignInForm providers={providers} goTo={goTo} asksToKeep done={() => router.history.replace(placeIn(to))} />
    </>
  );
}
