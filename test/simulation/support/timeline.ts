export type Timeline = ReturnType<typeof createTimeline>;

interface Due {
  readonly time: number;
  readonly order: number;
  readonly happen: () => void;
}

/** Creates virtual time from `start` (milliseconds since the epoch). It runs all steps in the order of their times. */
export function createTimeline(start: number) {
  const heap: Due[] = [];
  let now = start;
  let orders = 0;
  return {
    now: () => now,
    /** Plans a step for a time, or for now if that has passed. Steps of the same time run in the order of their plans. */
    at: (time: number, happen: () => void) => {
      orders += 1;
      push(heap, { time: Math.max(time, now), order: orders, happen });
    },
    /** Runs one step after the other, each after all consequences of the one before, until the end or the last step. */
    run: (isOver: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const step = () => {
          const due = isOver() ? undefined : pop(heap);
          if (!due) return resolve();
          now = due.time;
          try {
            due.happen();
          } catch (error) {
            return reject(error);
          }
          // A tick asked for by a microtask comes when no microtask is left: all that follows from this has happened then.
          queueMicrotask(() => process.nextTick(step));
        };
        process.nextTick(step);
      }),
  };
}

const isBefore = (a: Due, b: Due) => a.time < b.time || (a.time === b.time && a.order < b.order);

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
