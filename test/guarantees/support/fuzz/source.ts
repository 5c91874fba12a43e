import { createServer } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { createImporter } from "../../../../shared/formats/importer.ts";
import { SOURCE_HOST } from "./values.ts";

export type ClosedInternet = Awaited<ReturnType<typeof openClosedInternet>>;

/** A public address, because imports reach no other; nothing is ever sent there. */
const ADDRESS = "93.184.215.14";

/** Opens the real importer without the internet. One host serves a Table Schema at every path; nothing else exists. */
export async function openClosedInternet() {
  const server = createServer((request, response) => {
    const name = /\/(\w+)\.json$/.exec(request.url ?? "")?.[1] ?? "table";
    const fields = Object.entries({ code: "string", count: "integer" }).map(([name, type]) => ({ name, type }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, fields }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    importer: createImporter({
      allowPrivate: false,
      resolve: async (host) => (host === SOURCE_HOST ? [ADDRESS] : []),
      dial: (address) => (address === ADDRESS ? disguised(connect({ host: "127.0.0.1", port })) : nobody()),
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function disguised(socket: Socket): Socket {
  return Object.defineProperty(socket, "remoteAddress", { value: ADDRESS });
}

function nobody(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new Error("nobody is there")));
  return socket;
}
