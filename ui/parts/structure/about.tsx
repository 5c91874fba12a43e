import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import styles from "./structure.module.css";

interface AboutProps {
  readonly description: ReactNode;
  readonly tags?: ReactNode;
  readonly link?: ReactNode;
}

/** What an object is about, at the top of its page: description, tags, documentation. */
export function About({ description, tags, link }: AboutProps): ReactNode {
  const say = useWords("structure");
  return (
    <div className={styles.about}>
      <div className={styles.description}>{description}</div>
      {(tags || link) && (
        <dl className={styles.facts}>
          {tags && (
            <>
              <dt>{say("tags")}</dt>
              <dd>{tags}</dd>
            </>
          )}
          {link && (
            <>
              <dt>{say("documentation")}</dt>
              <dd>{link}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}
