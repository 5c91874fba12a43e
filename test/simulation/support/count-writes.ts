import { toStaging } from "../../../shared/store/log/stagings.ts";
import { STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Table, Write } from "../../../shared/store/table/table.ts";
import type { Sender } from "./network.ts";

/**
 * The table of a sender with its writes counted. What was given up is swept, so `broken` is told where the sender begins a
 * stage, or gives one up, while it still writes.
 */
export function countWrites(table: Table, sender: Sender, broken: (what: string) => void): Table {
  const counted = async <T>(write: () => Promise<T>): Promise<T> => {
    sender.writing += 1;
    try {
      return await write();
    } finally {
      sender.writing -= 1;
    }
  };
  const check = (writes: readonly Write[]) => {
    if (sender.writing === 0) return;
    for (const write of writes) {
      if (!("put" in write) || write.put.pk !== STAGINGS) continue;
      const { state } = toStaging(write.put);
      if (state === "closed") broken("a stage is given up by a sender that still writes");
      if (state === "open" && "absent" in write.expect) broken("a stage is begun by a sender that still writes");
    }
  };
  return {
    ...table,
    write: (write) => {
      check([write]);
      return counted(() => table.write(write));
    },
    transactWrite: (writes) => {
      check(writes);
      return counted(() => table.transactWrite(writes));
    },
    batchPut: (items) => counted(() => table.batchPut(items)),
    batchDelete: (keys) => counted(() => table.batchDelete(keys)),
  };
}
