import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens, and answers the port; rejects with one sentence where it cannot. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, port, host))));
    // A server on a port has an address of that form.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === "EADDRINUSE") return `Port ${port} on ${host} is in use; set PORT to another one`;
  if (error.code === "EACCES")
    return `Port ${port} on ${host} may not be opened by this user; set PORT to one above 1023`;
  return `The server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`;
}

/** Takes no new connection, lets running calls end for `graceMs`, then cuts them off. */
export function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
