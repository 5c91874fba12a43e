import { connect, type Socket } from "node:net";
import { afterEach } from "vitest";
import { createHttpServer, type HttpServer, type ServerOptions } from "../../../local/server.ts";
import { createChain } from "../../../shared/service/chain.ts";
import { createSmallService } from "./small-service.ts";
import { OPTIONS } from "./transports.ts";

/** A whole request, and the beginning of one with a JSON body. */
export const HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
export const post = (...lines: string[]): string =>
  `${["POST /api/config/echo HTTP/1.1", "Host: x", "Content-Type: application/json", ...lines].join("\r\n")}\r\n\r\n`;

const sockets: Socket[] = [];

/** Starts local servers over the small service; each is closed at the end of its test, as are the connections to it. */
export function useServers() {
  const started: HttpServer[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of started.splice(0)) await server.close(0);
  });
  return async (more: Partial<ServerOptions> = {}) => {
    const handleRequest = createChain(createSmallService(), { ...OPTIONS, log: () => undefined });
    const server = createHttpServer({ handleRequest, newId: () => "new-id", ...more });
    started.push(server);
    return { server, port: await server.listen(0, "127.0.0.1") };
  };
}

/** Opens a connection to a port. `until` waits for a text, `ended` for the end; `keepsOpen` does not close its side. */
export function open(port: number, { keepsOpen = false } = {}) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: keepsOpen });
  sockets.push(socket);
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
