import { Agent, request } from "node:http";

/** An HTTP client that costs little compared with what it measures: open connections, and bodies as text. */
export interface LeanClient {
  /** Calls an action and returns the body of its answer. Throws for any status but 200. */
  call(action: string, payload: object, token?: string): Promise<string>;
  /** Sends a request to a path and returns the body of the answer. */
  get(path: string): Promise<string>;
  close(): void;
}

/** Creates a client of the service at `url`. */
export function createLeanClient(url: string): LeanClient {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${path} answered ${response.statusCode} ${text}`));
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    call: (action, payload, token) => {
      const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const headers = { "content-type": "application/json", ...authorization };
      return send("POST", `/api/${action}`, headers, JSON.stringify(payload));
    },
    get: (path) => send("GET", path, {}),
    close: () => agent.destroy(),
  };
}
