import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { call } from "../../api/service.ts";
import { beginSession } from "../../api/session.ts";
import { BarePage } from "../../parts/bare-page.tsx";
import { faultAt } from "../../parts/fault-at.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useFrameWords } from "../../words/frame.ts";
import { useSignInWords } from "../../words/sign-in.ts";

/** The bootstrap secret in the fragment of the link that the service printed. */
const secretIn = (fragment: string): string => new URLSearchParams(fragment.replace(/^#/, "")).get("secret") ?? "";

/** Makes the first administrator of a new instance, and signs in. */
export function Screen(): ReactNode {
  const say = useSignInWords();
  const frame = useFrameWords();
  const navigate = useNavigate();
  const [secret] = useState(() => secretIn(globalThis.location.hash));
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // The secret is out of the address bar and of the history before anybody looks.
    if (globalThis.location.hash !== "") void navigate({ to: "/first-run", replace: true });
  }, [navigate]);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string): string => String(form.get(name) ?? "");
    setBusy(true);
    setProblem(undefined);
    try {
      const account = {
        username: given("username"),
        fullname: given("fullname"),
        password: given("password"),
        secret: secret || given("secret"),
      };
      const { body } = await call("auth/admin_bootstrap", account, { idempotencyKey: false });
      beginSession(body.access_token, body.expires_in, false);
      await navigate({ to: "/models", replace: true });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const field = (name: "username" | "fullname" | "password") => ({
    name,
    required: true,
    withAsterisk: false,
    error: faultAt(problem, `/${name}`),
  });
  return (
    <BarePage title={say("firstTitle")}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Text c="dimmed">{say("firstText")}</Text>
          {problem !== undefined && <ProblemBox problem={problem} />}
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
            {...field("fullname")}
            label={say("fullname")}
            description={say("fullnameText")}
            autoComplete="name"
            autoFocus={secret !== ""}
          />
          <TextInput
            {...field("username")}
            label={frame("username")}
            description={say("usernameText")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordInput
            {...field("password")}
            label={frame("password")}
            description={say("passwordText")}
            autoComplete="new-password"
          />
          <Button type="submit" loading={busy}>
            {say("create")}
          </Button>
        </Stack>
      </form>
    </BarePage>
  );
}
