import { Button, Checkbox, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Provider } from "../api/provider.ts";
import { call } from "../api/service.ts";
import { beginSession } from "../api/session.ts";
import { useWords } from "../words/words.ts";
import { ProblemBox } from "./problem-box.tsx";

interface SignInFormProps {
  readonly providers: readonly Provider[];
  readonly startSignIn: (provider: Provider, isKept: boolean) => Promise<void> | void;
  /** True to ask whether to keep the session for the tab. */
  readonly asksToKeep: boolean;
  /** The answer if that is not asked. */
  readonly kept?: boolean;
  readonly onDone?: () => void;
}

/** Form for username and password, or for choosing a provider; begins a session. */
export function SignInForm({
  providers,
  startSignIn,
  asksToKeep,
  kept: wasKept = false,
  onDone,
}: SignInFormProps): ReactNode {
  const say = useWords("frame");
  const [isKept, setIsKept] = useState(wasKept);
  const {
    mutate: run,
    error,
    isPending,
  } = useMutation({ mutationFn: async (work: () => Promise<void> | void) => work() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { username: String(form.get("username")), password: String(form.get("password")) };
    run(async () => {
      const { body } = await call("auth/login", credentials, { idempotencyKey: false });
      beginSession(body.access_token, body.expires_in, isKept);
      onDone?.();
    });
  };
  return (
    <Stack gap="md">
      {error && <ProblemBox problem={error} />}
      {providers.map((provider) => (
        <Button key={provider.issuer} variant="default" onClick={() => run(() => startSignIn(provider, isKept))}>
          {say("signInAt", { provider: provider.label })}
        </Button>
      ))}
      {providers.length > 0 && <Divider label={say("or")} />}
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            name="username"
            label={say("username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            data-autofocus
          />
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": say("showPassword") }}
            name="password"
            label={say("password")}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          {asksToKeep && (
            <Checkbox
              label={say("keepSession")}
              checked={isKept}
              onChange={(event) => setIsKept(event.currentTarget.checked)}
            />
          )}
          <Button type="submit" loading={isPending} fullWidth>
            {say("signIn")}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}
