import type { DatabaseSync } from "node:sqlite";
import type { MovedModels } from "../../shared/search/told-searches.ts";
import { ACCOUNTS_LEDGER, logPartition, TAGS } from "../../shared/store/table/keys.ts";

/** Begins the partition of every log. */
const LOG = logPartition("");
/** The logs of ledgers that are no models, in SQL. */
const OTHERS = [TAGS.model, ACCOUNTS_LEDGER.model].map((ledger) => `'${logPartition(ledger)}'`).join(", ");
const ledgerIn = (pk: string): string => `substr(${pk}, ${LOG.length + 1})`;

/**
 * Notes the models that moved since the search index knew them. The transaction of a commit itself does so, whoever made
 * it, so that nothing is lost with a process that ends.
 */
export const MOVED_SCHEMA = `
  CREATE TABLE IF NOT EXISTS search_moved (
    ledger TEXT PRIMARY KEY, revision INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TRIGGER IF NOT EXISTS search_moved_by_commit AFTER INSERT ON item
    WHEN substr(new.pk, 1, ${LOG.length}) = '${LOG}' AND new.pk NOT IN (${OTHERS})
    BEGIN INSERT OR REPLACE INTO search_moved VALUES (${ledgerIn("new.pk")}, CAST(new.sk AS INTEGER)); END;
`;

/** Every model that has a log, at its newest revision. */
const ALL = `
  INSERT OR REPLACE INTO search_moved
  SELECT ${ledgerIn("pk")}, max(CAST(sk AS INTEGER)) FROM item
  WHERE pk > '${LOG}' AND pk < '${LOG}' || char(0x10ffff) AND pk NOT IN (${OTHERS}) GROUP BY pk
`;

/** The models that moved, as a database with `MOVED_SCHEMA` notes them. */
export function movedModels(database: DatabaseSync): MovedModels {
  const all = database.prepare("SELECT ledger AS ledgerId, revision FROM search_moved");
  const settle = database.prepare("DELETE FROM search_moved WHERE ledger = ? AND revision <= ?");
  // A commit that moved it counts for more.
  const note = database.prepare("INSERT OR IGNORE INTO search_moved VALUES (?, 0)");
  return {
    // The columns of the statement.
    all: () => all.all() as unknown as ReturnType<MovedModels["all"]>,
    settle: ({ ledgerId, revision }) => {
      settle.run(ledgerId, revision);
    },
    note: (ledgerId) => {
      note.run(ledgerId);
    },
    noteAll: () => database.exec(ALL),
  };
}
