import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The way of one party to Postgres, which a test can break. */
export interface Wire {
  readonly port: number;
  /** Breaks every connection, and those that are tried. */
  cut(): void;
  /** Silently drops all traffic: on connections of this `application_name`, or on all. */
  hush(application?: string): void;
  /** Everything arrives so many milliseconds later, in order. */
  slow(milliseconds: number): void;
  /** New connections are fine again; those that fell silent stay so, as after a failover. */
  mend(): void;
  close(): void;
}

interface Link {
  readonly ends: readonly [Socket, Socket];
  /** The name in the client's first message (PostgreSQL, Message Formats, StartupMessage). */
  application: string;
}

async function inOrder(before: Promise<void>, pause: Promise<void>, write: () => void): Promise<void> {
  await Promise.all([before, pause]);
  write();
}

/** Lays one to the port of loopback that Postgres listens on. */
export async function layWire(to: number): Promise<Wire> {
  const links = new Set<Link>();
  let isCut = false;
  let late = 0;
  let isHushed = (_application: string) => false;
  const hushOne = ({ ends, application }: Link) => {
    if (isHushed(application)) for (const end of ends) end.pause();
  };
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(to, "127.0.0.1");
    const link: Link = { ends: [near, far], application: "" };
    links.add(link);
    near.once("data", (first) => {
      link.application = /application_name\0([^\0]*)/.exec(first.toString("latin1"))?.[1] ?? "";
      hushOne(link);
    });
    for (const [from, other] of [link.ends, link.ends.toReversed()] as [Socket, Socket][]) {
      let waiting = 0;
      let before = Promise.resolve();
      from.on("data", (part) => {
        if (late === 0 && waiting === 0) return void other.write(part);
        waiting += 1;
        before = inOrder(before, delay(late), () => {
          waiting -= 1;
          other.write(part);
        });
      });
      from.on("error", () => {});
      from.on("close", () => {
        other.destroy();
        links.delete(link);
      });
    }
  });
  const breakAll = () => {
    for (const { ends } of links) for (const end of ends) end.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      breakAll();
    },
    hush: (application) => {
      isHushed = (named) => application === undefined || named === application;
      for (const link of links) hushOne(link);
    },
    slow: (milliseconds) => (late = milliseconds),
    mend: () => {
      isCut = false;
      late = 0;
      isHushed = () => false;
    },
    close: () => {
      server.close();
      breakAll();
    },
  };
}
