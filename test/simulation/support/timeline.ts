export type Timeline = ReturnType<typeof createTimeline>;

interface Due {
  readonly moment: number;
  readonly order: number;
  readonly happen: () => void;
}

/**
 * Creates virtual time that begins at a moment, in milliseconds since the epoch: everything that is going to happen, in
 * the order of its moments. Nothing waits for a real clock.
 */
export function createTimeline(start: number) {
  const heap: Due[] = [];
  let now = start;
  let orders = 0;
  return {
    now: () => now,
    /** Has something happen at a moment, or at once where that has passed; of two at one moment the first one asked for is first. */
    at: (moment: number, happen: () => void) => {
      orders += 1;
      push(heap, { moment: Math.max(moment, now), order: orders, happen });
    },
    /** Lets one thing happen after the other, each after all that followed from the one before, until it is over or nothing is left. */
    run: (isOver: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const step = () => {
          const due = isOver() ? undefined : pop(heap);
          if (!due) {
            resolve();
            return;
          }
          now = due.moment;
          try {
            due.happen();
          } catch (error) {
            reject(error);
            return;
          }
          // A tick asked for by a microtask comes when no microtask is left: all that follows from this has happened then.
          queueMicrotask(() => process.nextTick(step));
        };
        process.nextTick(step);
      }),
  };
}

const isBefore = (a: Due, b: Due) => a.moment < b.moment || (a.moment === b.moment && a.order < b.order);

function push(heap: Due[], due: Due) {
  let at = heap.length;
  heap.push(due);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || isBefore(parent, due)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = due;
}

function pop(heap: Due[]): Due | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    const [left, right] = [heap[below], heap[below + 1]];
    if (!left) break;
    if (right && isBefore(right, left)) below += 1;
    const child = right && isBefore(right, left) ? right : left;
    if (isBefore(last, child)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
  return first;
}
