import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import type { Certificate } from "../../formats/certificate.ts";

/** A loopback port that speaks TLS. */
export type TlsProxy = { readonly endpoint: string; stop(): void };

/** Opens a port that speaks TLS and forwards all bytes to a plain port of this machine. */
export async function openTlsProxy(plainEndpoint: string, certificate: Certificate): Promise<TlsProxy> {
  const port = Number(new URL(plainEndpoint).port);
  const sockets = new Set<Socket>();
  const server = createServer({ ...certificate, noDelay: true }, (caller) => {
    const onward = connect({ port, host: "127.0.0.1", noDelay: true });
    for (const [from, to] of [[caller, onward] as const, [onward, caller] as const]) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port for TLS");
  return {
    endpoint: `https://localhost:${address.port}`,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
