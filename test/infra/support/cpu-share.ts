import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A way to give a process a share of one processor. */
export interface CpuShare {
  /** The name of the way, as the report tells it. */
  readonly way: string;
  /** Holds a process to the share from now on; the answer ends it. */
  hold(pid: number): () => void;
  stop(): void;
}

/** Lambda accounts processor time in periods of this length. */
const PERIOD_US = 20_000;

/**
 * Gives processes a share of one processor: by a control group where one can be made, else by stopping them in turns. Within its
 * share a process goes before the other programs of the machine, which are not there in Lambda.
 */
export function createCpuShare(share: number): CpuShare {
  return byControlGroup(share) ?? byTurns(share);
}

interface ControlGroups {
  readonly way: string;
  readonly root: string;
  readonly limit: (folder: string, quota: number) => void;
}

const VERSIONS: readonly ControlGroups[] = [
  {
    way: "control group, cpu.max",
    root: "/sys/fs/cgroup",
    limit: (folder, quota) => {
      writeFileSync(join(folder, "cpu.max"), `${quota} ${PERIOD_US}`);
      writeFileSync(join(folder, "cpu.weight"), "10000");
    },
  },
  {
    way: "control group, cpu.cfs_quota_us",
    root: "/sys/fs/cgroup/cpu",
    limit: (folder, quota) => {
      writeFileSync(join(folder, "cpu.cfs_period_us"), String(PERIOD_US));
      writeFileSync(join(folder, "cpu.cfs_quota_us"), String(quota));
      writeFileSync(join(folder, "cpu.shares"), "100000");
    },
  },
];

function byControlGroup(share: number): CpuShare | undefined {
  for (const { way, root, limit } of VERSIONS) {
    const folder = join(root, `metaction-bench-${process.pid}-${Math.round(share * 100)}`);
    try {
      if (!existsSync(join(root, "cgroup.procs"))) continue;
      mkdirSync(folder);
      limit(folder, Math.round(PERIOD_US * share));
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
      continue;
    }
    return {
      way,
      hold: (pid) => {
        writeFileSync(join(folder, "cgroup.procs"), String(pid));
        return () => undefined;
      },
      stop: () => rmdirSync(folder),
    };
  }
  return undefined;
}

/** Coarser than a control group: a process is stopped by the clock, also in time that it would have waited. */
function byTurns(share: number): CpuShare {
  const running = (PERIOD_US * share) / 1_000;
  const stopped = PERIOD_US / 1_000 - running;
  return {
    way: "SIGSTOP and SIGCONT in turns",
    hold: (pid) => {
      let timer: NodeJS.Timeout | undefined;
      const turn = (signal: "SIGSTOP" | "SIGCONT"): void => {
        if (!send(pid, signal)) return;
        const [ms, next] = signal === "SIGCONT" ? ([running, "SIGSTOP"] as const) : ([stopped, "SIGCONT"] as const);
        timer = setTimeout(() => turn(next), ms);
      };
      if (stopped > 0) turn("SIGCONT");
      return () => {
        clearTimeout(timer);
        send(pid, "SIGCONT");
      };
    },
    stop: () => undefined,
  };
}

/** Sends a signal; false when there is no such process any more. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
