import { spawn } from "node:child_process";

/** Opens an address in the user's browser, where there is a command for it; whoever has none reads the address. */
export function openBrowser(url: string): void {
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  spawn(command, [url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
