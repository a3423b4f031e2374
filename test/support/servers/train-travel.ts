import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

/** A request that the server saw. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** One operation of the document, as far as tests change it. */
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: object[];
  responses?: object;
  security?: object[];
}

/** The document as plain data. */
export interface OpenApiDocument {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

/** The Train Travel API of the OpenAPI 3.1 examples, answering on loopback. */
export interface TrainTravel {
  readonly origin: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** The address of its document. */
  readonly documentUrl: string;
  /** Requests to the API itself, in order; fetches of the document are not among them. */
  readonly seen: SeenRequest[];
  /** Changes the document that is served from now on. */
  edit(change: (document: OpenApiDocument) => void): void;
  close(): Promise<void>;
}

const DOCUMENT = createRequire(import.meta.url).resolve("@readme/oas-examples/3.1/json/train-travel.json");

/** The two stations of the document's examples. */
export const BERLIN = "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e";
export const PARIS = "b2e783e1-c824-4d63-b37a-d8d698862f1d";

const STATIONS = [
  {
    id: BERLIN,
    name: "Berlin Hauptbahnhof",
    address: "Invalidenstraße 10557 Berlin, Germany",
    country_code: "DE",
    timezone: "Europe/Berlin",
  },
  {
    id: PARIS,
    name: "Paris Gare du Nord",
    address: "18 Rue de Dunkerque 75010 Paris, France",
    country_code: "FR",
    timezone: "Europe/Paris",
  },
];

interface Booking {
  id: string;
  trip_id: string;
  passenger_name: string;
  has_bicycle: boolean;
  has_dog: boolean;
}

/** Starts the server on a free loopback port, or on `port`; each has its own bookings. */
export async function startTrainTravel(port = 0): Promise<TrainTravel> {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8")) as OpenApiDocument;
  const bookings = new Map<string, Booking>();
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === "/openapi.json") return send(response, 200, document);
      let body = "";
      for await (const chunk of request) body += String(chunk);
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      const origin = `http://${request.headers.host}`;
      return answer({ request, response, body, bookings, origin });
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  document.servers = [{ url: origin }];
  return {
    origin,
    host,
    documentUrl: `${origin}/openapi.json`,
    seen,
    edit: (change) => change(document),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly bookings: Map<string, Booking>;
  readonly origin: string;
}

function answer(exchange: Exchange): void {
  const { request, response, origin } = exchange;
  const url = new URL(request.url ?? "/", origin);
  const [, resource, id, sub] = url.pathname.split("/");
  const route = `${request.method} /${resource}${id === undefined ? "" : "/{id}"}${sub === undefined ? "" : `/${sub}`}`;
  const links = { self: `${origin}${url.pathname}` };
  if (route === "GET /stations") return send(response, 200, { data: STATIONS, links });
  if (route === "GET /trips") return trips(exchange, url);
  if (route === "GET /bookings") return send(response, 200, { data: [...exchange.bookings.values()], links });
  if (route === "POST /bookings") return book(exchange);
  const booking = exchange.bookings.get(id ?? "");
  if (resource !== "bookings" || booking === undefined) return problem(response, 404, "Not Found");
  if (route === "GET /bookings/{id}") return send(response, 200, { ...booking, links });
  if (route === "POST /bookings/{id}/payment") return pay(exchange, links.self);
  if (route !== "DELETE /bookings/{id}") return problem(response, 405, "Method Not Allowed");
  exchange.bookings.delete(booking.id);
  response.writeHead(204).end();
}

function trips({ response, origin }: Exchange, url: URL): void {
  const from = url.searchParams.get("origin");
  const to = url.searchParams.get("destination");
  const date = url.searchParams.get("date");
  if (from === null || to === null || date === null) return problem(response, 400, "Bad Request");
  const trip = (hour: number, operator: string, price: number) => ({
    id: randomUUID(),
    origin: from,
    destination: to,
    departure_time: `${date.slice(0, 10)}T${hour}:00:00Z`,
    arrival_time: `${date.slice(0, 10)}T${hour + 6}:00:00Z`,
    operator,
    price,
    bicycles_allowed: true,
    dogs_allowed: true,
  });
  send(response, 200, {
    data: [trip(10, "Deutsche Bahn", 50), trip(12, "SNCF", 55)],
    links: { self: `${origin}${url.pathname}${url.search}` },
  });
}

function book({ response, body, bookings, origin }: Exchange): void {
  const wanted = JSON.parse(body) as Partial<Booking>;
  const booking: Booking = {
    id: randomUUID(),
    trip_id: wanted.trip_id ?? randomUUID(),
    passenger_name: wanted.passenger_name ?? "",
    has_bicycle: wanted.has_bicycle ?? false,
    has_dog: wanted.has_dog ?? false,
  };
  bookings.set(booking.id, booking);
  send(response, 201, { ...booking, links: { self: `${origin}/bookings/${booking.id}` } });
}

function pay({ response, body }: Exchange, self: string): void {
  const payment = JSON.parse(body) as { amount: number; currency: string; source: object };
  send(response, 200, { id: randomUUID(), ...payment, status: "succeeded", links: { booking: self } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function problem(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify({ title, status }));
}
