import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../api/reads.ts";
import type { RefText } from "../api/refs.ts";
import { useWords } from "../words/words.ts";

interface PastLinkProps {
  readonly modelRef: RefText;
  /** The object that is not there; the model itself unless given. */
  readonly objectRef?: RefText;
}

/** Leads from an object that is not there to the history of its model, or to the models where that is gone too. */
export function PastLink({ modelRef, objectRef }: PastLinkProps): ReactNode {
  const say = useWords("frame");
  const { data } = useRead("model/model_get", objectRef && { modelRef });
  // The past of a model that is gone is read by its id alone.
  if (objectRef === undefined ? !modelRef.startsWith("id:") : !data) {
    return (
      <Button component={Link} to="/models" variant="default">
        {say("toModels")}
      </Button>
    );
  }
  const [, name] = /^\w+:(.*)$/s.exec(objectRef ?? "") ?? [];
  const search = name === undefined ? {} : objectRef?.startsWith("id:") ? { object: name } : { q: name };
  return (
    <Button
      component={Link}
      to="/models/$modelRef/history"
      // The types of the library do not tell what an address takes.
      params={{ modelRef } as never}
      search={search as never}
      variant="default"
    >
      {say("lookInHistory")}
    </Button>
  );
}
