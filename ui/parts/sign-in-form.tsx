import { Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { call } from "../api/service.ts";
import { beginSession } from "../api/session.ts";
import { useFrameWords } from "../words/frame.ts";
import { ProblemBox } from "./problem-box.tsx";

interface SignInFormProps {
  /** Filled in at first. */
  readonly username?: string;
  /** The label of the box that keeps the session for the tab; without it there is none. */
  readonly keepLabel?: string;
  readonly kept?: boolean;
  readonly done?: () => void;
}

/** Asks for username and password and begins a session. */
export function SignInForm({ username = "", keepLabel, kept = false, done }: SignInFormProps): ReactNode {
  const say = useFrameWords();
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      const given = { username: String(form.get("username")), password: String(form.get("password")) };
      const { body } = await call("auth/login", given);
      beginSession(body.access_token, body.expires_in, keepLabel ? form.has("keep") : kept);
      done?.();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {problem !== undefined && <ProblemBox problem={problem} />}
        <TextInput
          name="username"
          label={say("username")}
          defaultValue={username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus={username === "" || undefined}
        />
        <PasswordInput
          name="password"
          label={say("password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={username !== "" || undefined}
        />
        {keepLabel && <Checkbox name="keep" label={keepLabel} />}
        <Button type="submit" loading={busy} fullWidth>
          {say("signIn")}
        </Button>
      </Stack>
    </form>
  );
}
