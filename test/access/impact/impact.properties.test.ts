import { expect, test, vi } from "vitest";
import { checkArguments, rulesOnArguments } from "@/lib/access/decide/arguments";
import { compile, type Index } from "@/lib/access/compile/compile";
import type { Configuration, JsonObject } from "@/lib/access/model/configuration";
import { compareIndexes } from "@/lib/access/impact/impact";
import type { LoggedCaller } from "@/lib/access/impact/request";
import { atOnce } from "@/lib/access/model/parts";
import type { RequestAnswer } from "@/lib/access/model/request";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { resolve } from "@/lib/access/decide/resolve";
import { after, steps } from "@/test/access/chains";
import { law } from "@/test/access/law";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const ISSUER = "https://seen.example";

const served = (request: ResolveRequest): RequestAnswer => ({ ok: true, request });
const idsOf = (index: Index, request: ResolveRequest, now: number): readonly string[] =>
  resolve(index, request, now).tools.map(({ tool }) => tool.id);

test("gained, lost and kept tools are the differences and the intersection of the resolver's two lists", () => {
  let moved = 0;
  law(
    steps,
    ({ calls: _calls, ...world }, chain) => {
      const draft = chain.reduce(after, world);
      const [index, next] = [compile(world.configuration), compile(draft.configuration)];
      // A chain also changes requests, so a draft may resolve a different request.
      const [was, is] = [idsOf(index, world.request, world.now), idsOf(next, draft.request, world.now)];
      const { tools } = atOnce(compareIndexes(index, next, world.now));
      const { before, after: left, gained, lost, kept } = tools(served(world.request), served(draft.request));
      moved += gained.length + lost.length;
      const ids = Object.entries({ gained, lost, kept }).map(([kind, of]) => [kind, of.map(({ id }) => id)]);
      expect({ before, left, ...Object.fromEntries(ids) }).toEqual({
        before: was.length,
        left: is.length,
        gained: is.filter((id) => !was.includes(id)),
        lost: was.filter((id) => !is.includes(id)),
        kept: is.filter((id) => was.includes(id)),
      });
    },
    500,
  );
  expect(moved).toBeGreaterThan(500);
});

test("tools that change in other states are the differences of the resolver's lists in these states", () => {
  let moved = 0;
  law(
    steps,
    ({ calls: _calls, ...world }, chain) => {
      const { request, now } = world;
      const draft = chain.reduce(after, world).configuration;
      const [index, next] = [compile(world.configuration), compile(draft)];
      const { tools } = atOnce(compareIndexes(index, next, now));
      const change = tools(served(request), served(request));
      const [old, machine] = [world.configuration, draft].map(({ machines }) =>
        machines.find(({ name }) => name === request.machine),
      );
      const decided = request.state || machine?.initial;
      const states = (machine?.states ?? []).filter(
        ({ name }) => name !== decided && old?.states.some((one) => one.name === name),
      );
      const lists = states.map(({ name: state }) =>
        [index, next].map((side) => idsOf(side, { ...request, state }, now)),
      );
      const only = (of: readonly string[], decidedOnes: readonly { readonly id: string }[]) =>
        [...new Set(of)].filter((id) => decidedOnes.every((tool) => tool.id !== id)).toSorted();
      const lost = lists.flatMap(([was = [], is = []]) => was.filter((id) => !is.includes(id)));
      const gained = lists.flatMap(([was = [], is = []]) => is.filter((id) => !was.includes(id)));
      moved += lost.length + gained.length;
      expect(change.lostInOtherStates.map(({ id }) => id).toSorted()).toEqual(only(lost, change.lost));
      expect(change.gainedInOtherStates.map(({ id }) => id).toSorted()).toEqual(only(gained, change.gained));
    },
    500,
  );
  expect(moved).toBeGreaterThan(50);
});

/** The resolved token of an unregistered subject, as the log holds it. */
function unregistered(request: ResolveRequest): { readonly asked: ResolveRequest; readonly caller: LoggedCaller } {
  const profile = request.profiles.find((name) => name !== "main");
  const { qm: _ours, ...claims } = request.claims;
  const asked = {
    ...request,
    claims,
    agent: null,
    profiles: [profile ?? "main"],
    capabilities: [],
    includeDisabled: false,
  };
  const { claims: _kept, ...logged } = asked;
  // The state of a named machine comes from a session.
  const fromSession = asked.machine !== null;
  return {
    asked,
    caller: { issuer: ISSUER, subject: "someone", isOwnToken: false, claims, request: logged, fromSession },
  };
}

const trusting = (configuration: Configuration): Configuration => ({
  ...configuration,
  issuers: [{ name: "seen", enabled: true, issuer: ISSUER, capabilitiesClaim: null }],
});

const mayCall = (index: Index, asked: ResolveRequest, tool: string, args: JsonObject, now: number): boolean =>
  idsOf(index, asked, now).includes(tool) && checkArguments(index, asked, tool, args, now).allowed;

test("a kept tool has other arguments wherever the verdict on some arguments changes, and only if a rule on them does", () => {
  let [changed, differing] = [0, 0];
  law(
    steps,
    ({ calls, ...world }, chain) => {
      const { request, now } = world;
      const [index, next] = [compile(world.configuration), compile(chain.reduce(after, world).configuration)];
      const change = atOnce(compareIndexes(index, next, now)).tools(served(request), served(request));
      const named = new Set([...change.argumentsLimited, ...change.argumentsChanged].map(({ id }) => id));
      changed += named.size;
      const kept = change.kept.map(({ id }) => id);
      const verdicts = (id: string, args: JsonObject) =>
        [index, next].map((side) => checkArguments(side, request, id, args, now).allowed);
      const rules = (id: string) =>
        [index, next].map((side) => JSON.stringify(rulesOnArguments(side, request, id, now)));
      const otherwise = kept.filter((id) => calls.some(({ arguments: args }) => new Set(verdicts(id, args)).size > 1));
      differing += otherwise.length;
      expect(otherwise.filter((id) => !named.has(id))).toEqual([]);
      expect(kept.filter((id) => named.has(id) && new Set(rules(id)).size === 1)).toEqual([]);
      const refusedBefore = change.argumentsLimited.filter(({ id }) =>
        calls.some(({ arguments: args }) => verdicts(id, args)[0] === false),
      );
      expect(refusedBefore).toEqual([]);
    },
    3000,
  );
  expect(changed).toBeGreaterThan(50);
  expect(differing).toBeGreaterThan(10);
});

test("a call counts as refused or allowed exactly when visibility or the argument verdict changes", () => {
  const kinds = { same: 0, refused: 0, allowed: 0, undecided: 0 };
  law(
    steps,
    ({ calls, ...world }, chain) => {
      const draft = chain.reduce(after, world).configuration;
      const [index, next] = [compile(trusting(world.configuration)), compile(trusting(draft))];
      const { asked, caller } = unregistered(world.request);
      const comparison = atOnce(compareIndexes(index, next, world.now));
      for (const { tool, arguments: args } of calls) {
        const [was, is] = [index, next].map((side) => mayCall(side, asked, tool, args, world.now));
        const judged = comparison.call({ caller, toolId: tool, denied: !was, arguments: args });
        kinds[judged.kind] += 1;
        expect(judged.kind).toBe(was === is ? "same" : was ? "refused" : "allowed");
        // Without the arguments, no verdict that depends on them is given.
        const unread = comparison.call({ caller, toolId: tool, denied: !was, arguments: null });
        expect([judged.kind, "undecided"]).toContain(unread.kind);
      }
    },
    1_500,
  );
  expect(kinds.refused).toBeGreaterThan(20);
  expect(kinds.allowed).toBeGreaterThan(20);
});
