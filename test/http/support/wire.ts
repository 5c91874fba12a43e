import { connect, type Socket } from "node:net";
import { afterEach } from "vitest";
import { createHttpServer, type HttpServer, type ServerOptions } from "../../../local/server.ts";
import { createChain } from "../../../shared/service/chain.ts";
import { createSmallService } from "./small-service.ts";
import { OPTIONS } from "./transports.ts";

/** A server on a port of its own. */
export interface StartedServer {
  readonly server: HttpServer;
  readonly port: number;
}

/** Starts local servers over the small service, each closed at the end of its test. */
export function useServers(): (more?: Partial<ServerOptions>) => Promise<StartedServer> {
  const started: HttpServer[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) await server.close(0);
  });
  return async (more = {}) => {
    const handleRequest = createChain(createSmallService(), { ...OPTIONS, log: () => undefined });
    const server = createHttpServer({ handleRequest, newId: () => "new-id", ...more });
    started.push(server);
    return { server, port: await server.listen(0, "127.0.0.1") };
  };
}

/** A connection that keeps everything it receives. */
export interface OpenConnection {
  readonly socket: Socket;
  /** Resolves to the text received so far as soon as it holds `text`; rejects where the connection breaks. */
  readonly until: (text: string | RegExp) => Promise<string>;
  /** Resolves to the whole text received once the server has sent its last byte. */
  readonly ended: Promise<string>;
  /**
   * True once nobody holds the other end of the connection any more, so that bytes sent to it are answered with a
   * reset.
   */
  readonly isCut: () => boolean;
}

/** Connects to a port on this machine. `keepsOpen`: it does not close its side when the server closes its own. */
export function open(port: number, { keepsOpen = false } = {}): OpenConnection {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: keepsOpen });
  let all = "";
  let isCut = false;
  socket.setEncoding("utf8").on("data", (text) => {
    all += text;
  });
  const failed = new Promise<never>((_, reject) => {
    socket.once("error", reject);
    socket.once("close", () => {
      isCut = true;
      reject(new Error(`closed after ${all}`));
    });
  });
  failed.catch(() => undefined);
  const ended = Promise.race([failed, new Promise<string>((resolve) => socket.once("end", () => resolve(all)))]);
  ended.catch(() => undefined);
  const until = async (text: string | RegExp): Promise<string> => {
    for (;;) {
      if (typeof text === "string" ? all.includes(text) : text.test(all)) return all;
      await Promise.race([failed, new Promise((resolve) => socket.once("data", resolve))]);
    }
  };
  return { socket, until, ended, isCut: () => isCut };
}
