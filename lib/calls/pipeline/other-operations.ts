import type { JsonObject } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import { AppError } from "@/lib/errors";
import type { HttpRun } from "@/lib/resources/parts/run";
import type { ToolRow } from "@/lib/resources/tool";
import { toHttpRequest } from "@/lib/calls/runners/http-request";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";
import { decodePercent } from "@/lib/resources/parts/decode-percent";

type Operations = Pick<Snapshot, "tools" | "unimported">;

/** A segment of an address as the fixed texts around its arguments: `search` is `["search"]`, `{id}.csv` is `["", ".csv"]`. */
type Segment = readonly string[];
type Address = readonly Segment[];

/** The operations of a catalogue, or those of a source that were not imported. */
interface Directory {
  /** The addresses as `METHOD URL`, by method and host. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The addresses of the groups that calls have needed. */
  readonly parsed: Map<string, readonly Address[]>;
  /** The other addresses that arguments can form, by address and by whether they can contain `/`. */
  readonly others: Map<string, readonly Address[]>;
}

/** By the snapshot's object that holds the operations: a call must not read the whole catalogue. */
const directories = new WeakMap<object, Directory>();

/** Stands for an argument of which nothing is known. */
const ANYTHING = "\u0001";

/**
 * Whether the arguments turn the tool's address into that of another operation of the same host, imported or not:
 * `GET /users/{id}` with `search` is a request for `GET /users/search`, for which the caller needs that tool.
 */
export function reachesAnotherOperation(tool: ToolRow, args: JsonObject, operations: Operations): boolean {
  const { run } = tool;
  if (run?.kind !== "http" || !run.url.includes("{")) return false;
  const others = othersOf(run, operations);
  if (others.length === 0) return false;
  try {
    const path = segmentsOf(toHttpRequest(run, args).url);
    return others.some((other) => matches(other, path));
  } catch (error) {
    // The runner refuses these arguments and names the field.
    if (error instanceof AppError) return false;
    throw error;
  }
}

function othersOf(run: HttpRun, { tools, unimported }: Operations): readonly Address[] {
  const imported = directoryOf(tools, () => addressesOf(tools.values()));
  const notImported = [...unimported.values()].map((one) => directoryOf(one, () => one.text.split("\n")));
  return [imported, ...notImported].flatMap((directory) => othersIn(directory, run));
}

function directoryOf(owner: object, addresses: () => Iterable<string>): Directory {
  const known = directories.get(owner);
  if (known !== undefined) return known;
  const groups = new Map<string, string[]>();
  for (const address of addresses()) append(groups, groupOf(address), address);
  const directory = { groups, parsed: new Map(), others: new Map() };
  directories.set(owner, directory);
  return directory;
}

function othersIn({ groups, parsed, others }: Directory, run: HttpRun): readonly Address[] {
  const address = `${run.method} ${run.url}`;
  const group = groupOf(address);
  const parse = () => (groups.get(group) ?? []).map((one) => segmentsOf(one.slice(one.indexOf(" ") + 1)));
  const addsSegments = run.parameters.some(
    ({ in: place, allowReserved }) => place === "path" && allowReserved === true,
  );
  const make = () => reachable(run, addsSegments, getOrMake(parsed, group, parse));
  return getOrMake(others, `${addsSegments} ${address}`, make);
}

function getOrMake<V>(known: Map<string, V>, key: string, make: () => V): V {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/** The method and the host of an address, in lower case because hosts ignore case. */
function groupOf(address: string): string {
  return (/^\S+ (?:https?:\/\/[^/?#]*)?/i.exec(address)?.[0] ?? "").toLowerCase();
}

/** The addresses of tools, as `METHOD URL`. */
function* addressesOf(tools: Iterable<ToolRow>): Iterable<string> {
  for (const { run } of tools) if (run?.kind === "http") yield `${run.method} ${run.url}`;
}

/** Selects the addresses that arguments of `run` can form. Leaves out those that `run` always forms, such as its own. */
function reachable(run: HttpRun, addsSegments: boolean, addresses: readonly Address[]): readonly Address[] {
  const own = segmentsOf(run.url);
  const always = own.map((segment) => [segment.join(ANYTHING)]);
  return addresses.filter((other) => covers(own, other, addsSegments) && !matches(other, always));
}

/** Whether arguments can turn `own` into `other`. With `addsSegments` an argument may contain `/`. */
function covers(own: Address, other: Address, addsSegments: boolean): boolean {
  if (!addsSegments && own.length !== other.length) return false;
  const isFixed = (segment: Segment) => segment.length === 1;
  const compared = addsSegments
    ? own.slice(
        0,
        own.findIndex((segment) => !isFixed(segment)),
      )
    : own;
  return compared.every((segment, at) => {
    const there = other[at] ?? [];
    return isFixed(segment) ? fits(there, segment) : !isFixed(there) || fits(segment, there);
  });
}

/** Whether the path of a request is this address. */
function matches(address: Address, path: Address): boolean {
  return address.length === path.length && address.every((segment, at) => fits(segment, path[at] ?? []));
}

/** Whether a text without arguments has the segment's fixed texts, with or without the suffix of a format. */
function fits(segment: Segment, [text = ""]: Segment): boolean {
  return surrounds(segment, text) || surrounds(segment, withoutFormat(text));
}

function surrounds([first = "", ...others]: Segment, text: string): boolean {
  const last = others.pop();
  if (last === undefined) return withoutFormat(first) === text;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}

/**
 * The segments of an address, with or without arguments, normalised: some routers ignore case, path parameters (`;v=1`),
 * percent-encoding and empty segments.
 */
function segmentsOf(url: string): Address {
  const [path = ""] = url.split(/[?#]/, 1);
  return path
    .split("/")
    .flatMap((segment) => decodePercent(segment).split(/[/\\]/))
    .filter((segment) => segment !== "")
    .map((segment) => segment.split(/\{[^{}]*\}/).map((part) => part.split(";", 1).join("").trim().toLowerCase()));
}

/** Routers may read `7.json` as `7`, and ignore a last dot. */
function withoutFormat(text: string): string {
  return text.replace(/\.(?:json|xml)?$/, "");
}
