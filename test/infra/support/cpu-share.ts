import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Limits processes to a share of one processor. */
export interface CpuShare {
  readonly method: string;
  /** Limits a process to the share. Returns a function that ends the limit. */
  hold(pid: number): () => void;
  stop(): void;
}

const PERIOD_US = 20_000;

/** Creates a limit by a control group if possible, else by stopping and continuing processes. */
export const createCpuShare = (share: number): CpuShare => createByControlGroup(share) ?? createBySignals(share);

interface ControlGroups {
  readonly method: string;
  readonly root: string;
  readonly limit: (folder: string, quota: number) => void;
}

const VERSIONS: readonly ControlGroups[] = [
  {
    method: "control group, cpu.max",
    root: "/sys/fs/cgroup",
    limit: (folder, quota) => {
      writeFileSync(join(folder, "cpu.max"), `${quota} ${PERIOD_US}`);
      writeFileSync(join(folder, "cpu.weight"), "10000");
    },
  },
  {
    method: "control group, cpu.cfs_quota_us",
    root: "/sys/fs/cgroup/cpu",
    limit: (folder, quota) => {
      writeFileSync(join(folder, "cpu.cfs_period_us"), String(PERIOD_US));
      writeFileSync(join(folder, "cpu.cfs_quota_us"), String(quota));
      writeFileSync(join(folder, "cpu.shares"), "100000");
    },
  },
];

function createByControlGroup(share: number): CpuShare | undefined {
  for (const { method, root, limit } of VERSIONS) {
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
      method,
      hold: (pid) => {
        writeFileSync(join(folder, "cgroup.procs"), String(pid));
        return () => undefined;
      },
      stop: () => rmdirSync(folder),
    };
  }
  return undefined;
}

/** Creates a limit that is coarser than a control group: it also stops a process that waits. */
function createBySignals(share: number): CpuShare {
  const running = (PERIOD_US * share) / 1_000;
  const stopped = PERIOD_US / 1_000 - running;
  return {
    method: "SIGSTOP and SIGCONT, alternating",
    hold: (pid) => {
      let timer: NodeJS.Timeout | undefined;
      const alternate = (signal: "SIGSTOP" | "SIGCONT") => {
        if (!send(pid, signal)) return;
        const [ms, next] = signal === "SIGCONT" ? ([running, "SIGSTOP"] as const) : ([stopped, "SIGCONT"] as const);
        timer = setTimeout(() => alternate(next), ms);
      };
      if (stopped > 0) alternate("SIGCONT");
      return () => {
        clearTimeout(timer);
        send(pid, "SIGCONT");
      };
    },
    stop: () => undefined,
  };
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
