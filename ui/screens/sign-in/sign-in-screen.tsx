import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate, useRouter } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { arrival } from "../../api/arrival.ts";
import { finishSignIn, type Provider, startSignIn } from "../../api/provider.ts";
import { useRead } from "../../api/reads.ts";
import { call } from "../../api/service.ts";
import { beginSession, sendToken } from "../../api/session.ts";
import { listFaultsAt } from "../../parts/field-faults.ts";
import { LoadedBody } from "../../parts/loaded.tsx";
import { BarePage } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { formatFault } from "../../parts/refusal.ts";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useWords } from "../../words/words.ts";

const route = getRouteApi("/sign-in");

/** Returns the address to open after signing in; only addresses of this application are accepted. */
const parsePath = (to: string | undefined) => (to && /^\/(?![/\\])/.test(to) ? to : "/");

/** Sign-in screen, also for provider redirects; then opens the requested address. */
export function SignInScreen(): ReactNode {
  const say = useWords("signIn");
  const options = useRead("config/sign_in_options", {});
  return (
    <BarePage title={say("title")}>
      <LoadedBody read={options}>
        {({ issuers, firstRun }) => <Methods providers={issuers} isFirstRun={firstRun} />}
      </LoadedBody>
    </BarePage>
  );
}

interface MethodsProps {
  readonly providers: readonly Provider[];
  readonly isFirstRun: boolean;
}

function Methods({ providers, isFirstRun }: MethodsProps) {
  const say = useWords("signIn");
  const { to, at, channel, code, error } = route.useSearch();
  const router = useRouter();
  const [refusal, setRefusal] = useState<string>();
  const isBegun = useRef(false);
  const isComing = code !== undefined || error !== undefined;
  const goTo = async (provider: Provider, isKept: boolean) => {
    await startSignIn(provider, { to: parsePath(to), kept: isKept, channel });
  };
  useEffect(() => {
    // The code is valid once, and React may run an effect twice.
    if (isBegun.current) return;
    isBegun.current = true;
    const finish = async () => {
      const result = await finishSignIn(arrival, providers);
      if (result.channel) return sendToken(result.channel, result);
      beginSession(result.token, result.seconds, result.kept);
      router.history.replace(parsePath(result.to));
    };
    const target = providers.find(({ issuer }) => issuer === at);
    const work = isComing ? finish() : target && channel ? goTo(target, false) : undefined;
    work?.catch((failure: unknown) => setRefusal(failure instanceof Error ? failure.message : String(failure)));
  });
  if (isComing && refusal === undefined) return <Text role="status">{say("callback")}</Text>;
  return (
    <>
      {refusal !== undefined && (
        <Alert role="alert" variant="outline" color="red" title={say("refused")} mb="md">
          <span lang="en">{refusal}</span>
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
      <SignInForm
        providers={providers}
        startSignIn={goTo}
        asksToKeep
        onDone={() => router.history.replace(parsePath(to))}
      />
    </>
  );
}

/** Returns the bootstrap secret from the hash of the link that the service printed. */
const readSecret = (fragment: string) => new URLSearchParams(fragment.replace(/^#/, "")).get("secret") ?? "";

/** Creates the first administrator of a new instance and signs in. */
export function FirstRunScreen(): ReactNode {
  const say = useWords("signIn");
  const frame = useWords("frame");
  const navigate = useNavigate();
  const [secret] = useState(() => readSecret(globalThis.location.hash));
  const creation = useMutation({
    mutationFn: async (form: FormData) => {
      const getText = (name: string) => String(form.get(name) ?? "");
      const account = {
        username: getText("username"),
        fullname: getText("fullname"),
        password: getText("password"),
        secret: secret || getText("secret"),
      };
      const { body } = await call("auth/admin_bootstrap", account, { idempotencyKey: false });
      beginSession(body.access_token, body.expires_in, false);
      await navigate({ to: "/models", replace: true });
    },
  });
  useEffect(() => {
    // Removes the secret from the address bar and the history.
    if (globalThis.location.hash !== "") void navigate({ to: "/first-run", replace: true });
  }, [navigate]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creation.mutate(new FormData(event.currentTarget));
  };
  const createFieldProps = (name: "username" | "fullname" | "password") => ({
    name,
    required: true,
    withAsterisk: false,
    error: listFaultsAt(creation.error, name).map(formatFault).join("; "),
  });
  return (
    <BarePage title={say("firstTitle")}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text c="dimmed">{say("firstText")}</Text>
          {creation.error && <ProblemBox problem={creation.error} />}
          {secret === "" && (
            <PasswordInput
              name="secret"
              label={say("secret")}
              description={say("firstNoSecret")}
              required
              withAsterisk={false}
              autoComplete="off"
              autoFocus
            />
          )}
          <TextInput
            {...createFieldProps("fullname")}
            label={say("fullname")}
            description={say("fullnameText")}
            autoComplete="name"
            autoFocus={secret !== ""}
          />
          <TextInput
            {...createFieldProps("username")}
            label={frame("username")}
            description={say("usernameText")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordInput
            {...createFieldProps("password")}
            label={frame("password")}
            description={say("passwordHint")}
            autoComplete="new-password"
          />
          <Button type="submit" loading={creation.isPending}>
            {say("create")}
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}
