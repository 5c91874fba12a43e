import { Alert, Button, Code, CopyButton, Group, List, Text, type TextProps } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiProblem } from "../../client/create-client.ts";
import { useWords } from "../words/words.ts";

interface ProblemBoxProps {
  readonly problem: unknown;
  readonly retry?: (() => void) | undefined;
}

function getRemedy({ status, retryable }: ApiProblem) {
  if (retryable) return "doRetry";
  if (status === 401) return "doSignIn";
  if (status === 403) return "doAllowed";
  if (status === 404) return "doBack";
  if (status === 409 || status === 412) return "doConflict";
  if (status === 400 || status === 413 || status === 422) return "doCorrect";
  return "doReport";
}

/** Problem for people: title, detail, faults, remedy, and the request id to copy. */
export function ProblemBox({ problem, retry }: ProblemBoxProps): ReactNode {
  const say = useWords("frame");
  const isOurs = problem instanceof ApiProblem;
  const title = isOurs ? problem.title : say("broken");
  const faults = isOurs ? (problem.errors ?? []) : [];
  const requestId = isOurs ? problem.requestId : undefined;
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      styles={{
        title: { color: "var(--mantine-color-error)" },
        body: { minWidth: 0 },
        message: { overflow: "hidden" },
      }}
      icon={<IconAlertCircle aria-hidden />}
      title={<span lang="en">{title}</span>}
    >
      <Text lang="en" style={{ overflowWrap: "anywhere" }}>
        {problem instanceof Error ? problem.message : String(problem)}
      </Text>
      {faults.length > 0 && (
        <List mt="xs" lang="en" mah={280} style={{ overflow: "auto" }}>
          {faults.map(({ pointer, detail }) => (
            <List.Item key={`${pointer} ${detail}`}>
              {pointer && <Code>{pointer}</Code>} <span style={{ overflowWrap: "anywhere" }}>{detail}</span>
            </List.Item>
          ))}
        </List>
      )}
      {isOurs && (
        <Text mt="xs" c="dimmed">
          {say(getRemedy(problem))}
        </Text>
      )}
      <Group mt="sm" gap="xs">
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {say("tryAgain")}
          </Button>
        )}
        {requestId && (
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                h="auto"
                mih={30}
                variant="subtle"
                color="gray"
                styles={{
                  label: {
                    display: "block",
                    whiteSpace: "normal",
                    lineHeight: 1.5,
                    overflowWrap: "anywhere",
                    textAlign: "start",
                  },
                }}
                onClick={copy}
                title={say("copyRequestId")}
              >
                {copied ? say("copied") : `${say("requestId")} `}
                {!copied && <Code ml={6}>{requestId}</Code>}
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
    </Alert>
  );
}

interface RefusalProps extends TextProps {
  readonly children: ReactNode;
}

/** Short text on a refusal, which screen readers announce. */
export function Refusal(props: RefusalProps): ReactNode {
  return <Text role="alert" size="sm" c="var(--mantine-color-error)" lang="en" {...props} />;
}
