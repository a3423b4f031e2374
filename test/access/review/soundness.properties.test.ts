import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { compile, type Index } from "@/lib/access/compile/compile";
import { rulesHeld } from "@/lib/access/compile/flows";
import { hasBit } from "@/lib/access/model/bitset";
import { checkArguments } from "@/lib/access/decide/arguments";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { resolve } from "@/lib/access/decide/resolve";
import { BLANK_GROUP, BLANK_POLICY } from "@/lib/access/model/blank-rows";
import type { AccessGrant, Configuration, JsonObject } from "@/lib/access/model/configuration";
import { raisesOf } from "@/lib/access/model/flow";
import { equals } from "@/lib/access/model/matcher";
import { atOnce } from "@/lib/access/model/parts";
import { requestOf } from "@/lib/access/model/request";
import { withHash } from "@/lib/config/definition-hash";
import { judgeChanges, type ReviewedChange } from "@/lib/config/review/judge";
import { KINDS } from "@/lib/resources/kinds";
import { DECIDING } from "@/lib/resources/sections";
import { compareDecisions } from "@/lib/access/review/compare";
import { callArguments, claims, NOW } from "@/test/access/claim-worlds";
import { configurations } from "@/test/access/configuration-worlds";
import { seed } from "@/test/access/law";
import { HASHES, LABELS, PROFILES, STATES, pick, usually } from "@/test/access/pools";
import { edited } from "@/test/access/review/edits";
import { seenByOracle } from "@/test/access/seen-by-oracle";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 1_200_000 });

/** `REVIEW_WORLDS=20000` runs the whole law; without it a sample of it runs. */
const WORLDS = Number(process.env["REVIEW_WORLDS"] ?? 1_000);
const HOUR = 3_600_000;

interface Edited {
  readonly before: Configuration;
  readonly after: Configuration;
  readonly callers: readonly JsonObject[];
  readonly args: readonly JsonObject[];
  readonly capabilities: readonly string[];
  readonly profiles: readonly string[];
  readonly labels: readonly string[];
  readonly later: number;
}

const steps = fc.array(fc.record({ edit: fc.nat({ max: 1_000 }), pick: fc.nat({ max: 1_000 }) }), {
  minLength: 1,
  maxLength: 2,
});

const worlds: fc.Arbitrary<Edited> = fc
  .record({
    config: configurations,
    other: configurations,
    edits: steps,
    callers: fc.array(claims, { minLength: 3, maxLength: 5, size: "max" }),
    args: fc.array(callArguments, { minLength: 2, maxLength: 3 }),
    capabilities: fc.constantFrom<readonly string[]>(["*"], [], ["files.*"], ["files.read", "db:read"]),
    profiles: fc.constantFrom<readonly string[]>([], [], ["subagent"], ["a2a-synthesis", "scheduled"], [...PROFILES]),
    labels: fc.subarray<string>([...LABELS]),
    granted: usually(fc.constant<string | null | undefined>(undefined), pick([null, "ide"]), 6),
    later: fc.constantFrom(0, 1, HOUR, 24 * HOUR, 28 * 24 * HOUR, 401 * 24 * HOUR),
  })
  .map(({ config, other, edits, granted, ...rest }) => {
    // Pauses are not compared: a pause must not hide a widening.
    const before = { ...(granted === undefined ? config : withGrant(config, granted)), pauses: [] };
    const after = granted === undefined ? edited(before, other, edits) : withAllowForGrant(before);
    return { before, after: { ...after, pauses: [] }, ...rest };
  });

const GRANTED = "granted";

/** The configuration with one access grant in force, for tokens of one client. */
function withGrant(config: Configuration, client: string | null): Configuration {
  const tool = config.tools[0]?.id ?? "x:search";
  const group = { ...BLANK_GROUP, name: GRANTED, include: [{ tool, who: null, when: null }] };
  const ask = { ...BLANK_POLICY, name: GRANTED, effect: "request" as const, everyone: true, groups: [GRANTED] };
  const caller = { issuer: "https://issuer", subject: "bob", client };
  const times = { from: "2020-01-01T00:00:00.000Z", until: "2030-01-01T00:00:00.000Z" };
  const accessGrants = [{ id: "g1", policy: GRANTED, tool, ...caller, ...times }];
  return { ...config, groups: [...config.groups, group], policies: [...config.policies, ask], accessGrants };
}

/** The configuration with an allow for the caller of its access grant, for as long, whatever the client. */
function withAllowForGrant(config: Configuration): Configuration {
  const [{ issuer, subject, until }] = config.accessGrants as [AccessGrant];
  const matchers = [equals("iss", issuer), equals("sub", subject)];
  const allow = { ...BLANK_POLICY, name: "for-grant", matchers, validUntil: until, groups: [GRANTED] };
  return { ...config, policies: [...config.policies, allow] };
}

/** The states of a named machine; one that no machine has is among them. */
const statesOf = (index: Index, machine: string | null): readonly (string | null)[] => [
  ...new Set([
    null,
    ...STATES,
    "elsewhere",
    ...(index.config.machines.find(({ name }) => name === machine)?.states ?? []).map(({ name }) => name),
  ]),
];

/** Whether a flow rule makes calls of a tool wait for a person. */
function asks(index: Index, { labels }: ResolveRequest, id: string): boolean {
  const number = index.tools.numberOf.get(id) ?? -1;
  return rulesHeld(index.flows, labels).some(
    ({ rule, passing }) => rule.effect === "approve" && !hasBit(passing, number),
  );
}

/** What a caller may see and call: tool ids, and for each the arguments that are let through. */
function seen(
  index: Index,
  request: ResolveRequest,
  now: number,
  args: readonly JsonObject[],
): ReadonlyMap<string, string> {
  return new Map(
    resolve(index, request, now).tools.map(({ tool }) => [
      tool.id,
      args
        .map((one) =>
          checkArguments(index, request, tool.id, one, now).allowed && !asks(index, request, tool.id) ? "y" : "n",
        )
        .join(""),
    ]),
  );
}

/** Everything that a caller without an assigned machine can reach by choosing machine and state. */
function anywhere(index: Index, request: ResolveRequest, now: number, args: readonly JsonObject[]) {
  const union = new Map<string, string>();
  for (const machine of index.machines.keys())
    for (const state of statesOf(index, machine))
      for (const [id, allowed] of seen(index, { ...request, machine, state }, now, args)) {
        const known = union.get(id) ?? "";
        union.set(id, [...allowed].map((one, at) => (one === "y" || known[at] === "y" ? "y" : "n")).join(""));
      }
  return union;
}

function widenings(had: ReadonlyMap<string, string>, has: ReadonlyMap<string, string>): readonly string[] {
  return [...has].flatMap(([id, allowed]) => {
    const before = had.get(id);
    if (before === undefined) return [`shows ${id}`];
    return [...allowed].some((one, at) => one === "y" && before[at] !== "y") ? [`calls ${id}`] : [];
  });
}

/** What a caller gains by the labels that its calls raise no longer: it calls a tool, and then sees more than before. */
function freed(was: Index, is: Index, request: ResolveRequest, at: number, args: readonly JsonObject[]) {
  return is.tools.all.flatMap((tool) => {
    const old = was.tools.all[was.tools.numberOf.get(tool.id) ?? -1];
    if (old === undefined) return [];
    const [raised, raises] = [raisesOf(old, was.config.labels), raisesOf(tool, is.config.labels)];
    if (raised.every((label) => raises.includes(label)) || !seen(is, request, at, []).has(tool.id)) return [];
    const holding = (labels: readonly string[]) => ({ ...request, labels: [...request.labels, ...labels] });
    return widenings(anywhere(was, holding(raised), at, args), anywhere(is, holding(raises), at, args));
  });
}

/** The configuration with its request policies as allows: what callers see then, they see or may request. */
function withOffersShown(config: Configuration): Configuration {
  const policies = config.policies.map((policy) =>
    policy.effect === "request" ? { ...policy, effect: "allow" as const } : policy,
  );
  return { ...config, policies };
}

/** Every caller, state and time of the world in which the change shows, offers or allows more. */
function found(world: Edited, now: number): readonly string[] {
  const [before, after] = [withOffersShown(world.before), withOffersShown(world.after)];
  return [...shownMore(world, now), ...shownMore({ ...world, before, after }, now).map((one) => `requestable: ${one}`)];
}

function shownMore(
  { before, after, callers, args, capabilities, profiles, labels, later }: Edited,
  now: number,
): readonly string[] {
  const [was, is] = [compile(before), compile(after)];
  return callers.flatMap((caller, number) => {
    const at = number % 2 === 0 ? now : now + later;
    const request = { ...requestOf(caller), capabilities, profiles, labels };
    const free = anywhere(was, request, at, args);
    const shown = [...is.machines.keys()].flatMap((machine) =>
      statesOf(is, machine).flatMap((state) => {
        const asked = { ...request, machine, state };
        const bound = machine !== null && was.machines.has(machine) ? seen(was, asked, at, args) : free;
        return widenings(bound, seen(is, asked, at, args));
      }),
    );
    return [...shown, ...freed(was, is, request, at, args)];
  });
}

type Row = Readonly<Record<string, unknown>>;

/** The world's change row by row, as the writer passes it to the gate; `null` for two rows of one name. */
function changesOf(before: Configuration, after: Configuration): readonly ReviewedChange[] | null {
  const sections = DECIDING.filter((section) => before[section] !== after[section]);
  const changes = sections.flatMap((resource) => {
    const [had, has] = [before[resource], after[resource]] as unknown as readonly [readonly Row[], readonly Row[]];
    const idOf = (row: Row) => String(row[KINDS[resource].id]);
    const sameLength = had.length === has.length;
    const pairs = sameLength
      ? had.map((row, at) => ({ before: row, after: has[at] ?? null }))
      : [
          ...had.map((row) => ({ before: row, after: has.find((one) => idOf(one) === idOf(row)) ?? null })),
          ...has
            .filter((row) => !had.some((one) => idOf(one) === idOf(row)))
            .map((row) => ({ before: null, after: row })),
        ];
    return pairs
      .filter((pair) => pair.before !== pair.after)
      .map((pair) => ({ resource, id: idOf((pair.before ?? pair.after)!), ...pair, setsSecret: false }));
  });
  const names = sections.map((section) =>
    (after[section] as unknown as readonly Row[]).map((row) => row[KINDS[section].id]),
  );
  if (names.some((all) => new Set(all).size < all.length)) return null;
  if (before.settings === after.settings) return changes;
  const of = (value: object) => ({ name: "settings", value });
  const pair = { before: of(before.settings), after: of(after.settings) };
  return [...changes, { resource: "settings", id: "settings", ...pair, setsSecret: false }];
}

const doubtsOf = ({ before, after }: Pick<Edited, "before" | "after">, now: number) =>
  atOnce(compareDecisions(compile(before), compile(after), now)).doubts;

test("what is proven narrower shows, offers and allows no caller more, in any state and at any time", () => {
  let proven = 0;
  fc.assert(
    fc.property(worlds, (world) => {
      if (doubtsOf(world, NOW).length > 0) return;
      proven += 1;
      expect(found(world, NOW)).toEqual([]);
      if (proven % 20 !== 0) return;
      const [caller] = world.callers;
      const question = { request: { ...requestOf(caller ?? {}), capabilities: world.capabilities }, now: NOW };
      const [had, has] = [world.before, world.after].map((configuration) =>
        seenByOracle({ ...question, configuration }),
      );
      // In the initial state of an open start, both sides show what any state shows.
      const isOpen = world.before.settings.openStart && world.after.settings.openStart;
      expect(has?.visible.filter((id) => isOpen && !had?.visible.includes(id))).toEqual([]);
    }),
    { seed, numRuns: WORLDS },
  );
  // A comparison that doubts everything would be sound and useless.
  expect(proven / WORLDS).toBeGreaterThan(0.3);
});

/** A world as the writer makes it: a changed tool has its own hash, which some profile may have accepted before. */
function written({ before, after, ...world }: Edited): Edited {
  const known = new Set<object>(before.tools);
  const tools = after.tools.map((tool) => (known.has(tool) ? tool : withHash(tool)));
  const driftAcceptances = before.driftAcceptances.map((one) => {
    const hash = one.definitionHash === HASHES[1] ? tools.find(({ id }) => id === one.tool)?.definitionHash : undefined;
    return { ...one, definitionHash: hash ?? one.definitionHash };
  });
  const { accessGrants } = before;
  return {
    before: { ...before, driftAcceptances },
    after: { ...after, tools, driftAcceptances, accessGrants },
    ...world,
  };
}

test("what the gate saves at once shows, offers and allows no caller more: the table of fields hides no widening", () => {
  let [saved, judged] = [0, 0];
  fc.assert(
    fc.property(worlds, (edits) => {
      const world = written(edits);
      const changes = changesOf(world.before, world.after);
      if (changes === null) return;
      judged += 1;
      const { kind } = atOnce(judgeChanges(compile(world.before), changes, NOW));
      if (kind !== "same" && kind !== "narrower") return;
      saved += 1;
      expect(found(world, NOW)).toEqual([]);
    }),
    { seed, numRuns: WORLDS / 2 },
  );
  expect(saved / judged).toBeGreaterThan(0.25);
});
