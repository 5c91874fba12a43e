/**
 * Lets one call at a time work on a thing: `work` is told whether another one did while it waited, so that it can look
 * first at what that left.
 */
export type OneAtATime = <T>(id: string, work: (waited: boolean) => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const running = new Map<string, Promise<unknown>>();
  return async (id, work) => {
    let waited = false;
    for (let before = running.get(id); before; before = running.get(id)) {
      waited = true;
      await before.catch(() => undefined);
    }
    const mine = work(waited);
    running.set(id, mine);
    try {
      return await mine;
    } finally {
      running.delete(id);
    }
  };
}
