import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { Dial, Resolve } from "../../shared/formats/common/fetch/connect-source.ts";

/** A server on a free port of loopback. */
export interface Listening {
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on("connection", (socket: Socket) => {
    count++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export const serve = (answer: RequestListener): Promise<Listening> => listening(createServer(answer));

/** A server that does with a bare connection what it likes. */
export const serveTcp = (accept: (socket: Socket) => void): Promise<Listening> => listening(createTcpServer(accept));

/** Any server that is not listening yet, for example one with TLS. */
export const serveWith = (server: Server): Promise<Listening> => listening(server);

/** The address at which the tests' own internet has its one public server. */
export const PUBLIC = "93.184.215.14";

/** A network in which only `PUBLIC` exists outside; every other address leads to the canary. */
export interface TestNetwork {
  readonly dial: Dial;
  readonly resolve: Resolve;
  readonly dialled: string[];
  readonly lookedUp: string[];
}

/** `names` answers each lookup of a name with the next of its lists, the last one for ever. */
export function testNetwork(
  outside: Listening,
  canary: Listening,
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): TestNetwork {
  const dialled: string[] = [];
  const lookedUp: string[] = [];
  return {
    dialled,
    lookedUp,
    dial: (address) => {
      dialled.push(address);
      if (address !== PUBLIC) return connect({ host: "127.0.0.1", port: canary.port });
      const socket = connect({ host: "127.0.0.1", port: outside.port });
      // The socket says the address that was asked for, as it would on the real internet.
      Object.defineProperty(socket, "remoteAddress", { get: () => PUBLIC });
      return socket;
    },
    resolve: async (hostname) => {
      const answers = names[hostname] ?? [[]];
      const asked = lookedUp.filter((h) => h === hostname).length;
      lookedUp.push(hostname);
      return answers[Math.min(asked, answers.length - 1)] ?? [];
    },
  };
}
