import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A plain TCP balancer on loopback: it knows connections, and nothing of HTTP. */
export interface Balancer {
  readonly origin: string;
  close(): void;
}

/** Gives each connection to the next of the ports that takes it; what breaks on one side breaks on the other. */
export async function balance(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    open.add(near);
    near.on("error", () => {}).on("close", () => open.delete(near));
    void handOn(near);
  });
  const handOn = async (near: Socket) => {
    const first = (turn += 1);
    for (let tried = 0; tried < ports.length; tried += 1) {
      const far = connect(ports[(first + tried) % ports.length]!, "127.0.0.1");
      const taken = await once(far, "connect").then(
        () => true,
        () => false,
      );
      if (!taken) continue;
      far.on("error", () => {}).on("close", () => near.destroy());
      near.on("close", () => far.destroy());
      near.pipe(far);
      far.pipe(near);
      return;
    }
    near.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const near of open) near.destroy();
    },
  };
}
