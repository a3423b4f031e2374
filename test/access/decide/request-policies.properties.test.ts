import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { checkArguments } from "@/lib/access/decide/arguments";
import { compile } from "@/lib/access/compile/compile";
import type { AccessGrant, Configuration } from "@/lib/access/model/configuration";
import { check } from "@/lib/access/decide/resolve";
import { clientOf } from "@/lib/access/model/claims";
import { explain } from "@/lib/access/explain/explain";
import { answer, visible } from "@/test/access/answer";
import { forEachOf, law, seed } from "@/test/access/law";
import type { Question } from "@/test/access/seen";
import { worlds, type World } from "@/test/access/worlds";

// Thousands of worlds take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const changed = (world: World, over: Partial<Configuration>): Question => ({
  ...world,
  configuration: { ...world.configuration, ...over },
});

describe("a request policy", () => {
  test("never shows a tool by itself", () => {
    law(fc.constant(null), (world) => {
      const policies = world.configuration.policies.filter(({ effect }) => effect !== "request");
      const withoutGrants = changed(world, { accessGrants: [] });
      expect(visible(withoutGrants)).toEqual(visible(changed(world, { policies, accessGrants: [] })));
    });
  });

  test("offers exactly the tools that it would show as an allow", () => {
    law(fc.constant(null), (world) => {
      const policies = world.configuration.policies.map((policy) =>
        policy.effect === "request" ? { ...policy, effect: "allow" as const } : policy,
      );
      const shown = visible(changed(world, { policies, accessGrants: [] }));
      const now = visible(changed(world, { accessGrants: [] }));
      const offered = answer(changed(world, { accessGrants: [] })).requestable.map(({ id }) => id);
      expect(offered).toEqual(shown.filter((id) => !now.includes(id)));
    });
  });
});

/** Few worlds offer a tool. More do when every second allow policy is a request policy. */
const asking = (world: World): World => ({
  ...world,
  configuration: {
    ...world.configuration,
    policies: world.configuration.policies.map((policy, at) =>
      policy.effect === "allow" && at % 2 === 0 ? { ...policy, effect: "request" } : policy,
    ),
  },
});

/** A world with a tool that its caller may request, and the grant of it. */
const offered = worlds
  .map(asking)
  .map((world) => {
    const [tool] = answer(world).requestable;
    const { iss, sub } = world.request.claims;
    // A preview that includes inactive groups offers more than a grant can hold for.
    if (world.request.includeDisabled) return null;
    if (tool === undefined || typeof iss !== "string" || typeof sub !== "string") return null;
    const policy = world.configuration.policies.find(
      (one) =>
        one.effect === "request" &&
        visible(
          changed(world, {
            policies: world.configuration.policies.map((each) =>
              each === one ? { ...each, effect: "allow" as const } : each,
            ),
          }),
        ).includes(tool.id),
    );
    if (policy === undefined) return null;
    const grant: AccessGrant = {
      id: "new",
      policy: policy.name,
      tool: tool.id,
      issuer: iss,
      subject: sub,
      client: clientOf(world.request.claims),
      from: new Date(world.now - 1).toISOString(),
      until: new Date(world.now + 1).toISOString(),
    };
    return { world, policy, tool, grant };
  })
  .filter((found) => found !== null);

const granted = ({ world, grant }: { world: World; grant: AccessGrant }, over: Partial<AccessGrant> = {}): Question =>
  changed(world, { accessGrants: [...world.configuration.accessGrants, { ...grant, ...over }] });

/** Most of these worlds still offer nothing, so the 150 that do are generated once for all tests. */
const forEachOffer = forEachOf(offered, { seed, numRuns: 150 });

describe("an access grant", () => {
  test("shows its caller the requested tool and nothing else, until it ends", () => {
    forEachOffer((found) => {
      const { world, tool } = found;
      const gained = visible(granted(found)).filter((id) => !visible(world).includes(id));
      expect(gained).toEqual([tool.id]);
      expect(visible({ ...granted(found), now: world.now + 1 })).toEqual(visible({ ...world, now: world.now + 1 }));
      expect(visible(granted(found, { from: new Date(world.now + 1).toISOString() }))).toEqual(visible(world));
    });
  });

  test("is another caller's when issuer, subject or client differs", () => {
    forEachOffer((found) => {
      for (const over of [{ issuer: "https://x" }, { subject: "somebody" }, { client: "another" }])
        expect(visible(granted(found, over))).toEqual(visible(found.world));
    });
  });

  test("holds only while its request policy is active, matches and offers the tool", () => {
    forEachOffer((found) => {
      const { world, policy } = found;
      const never = { claim: "never", operator: "equals" as const, value: "carried", ignoreCase: false };
      for (const over of [
        { active: false },
        { groups: ["unheard-of"] },
        { matchers: [...policy.matchers, never], everyone: false },
        { effect: "deny" as const, arguments: [never] },
      ]) {
        const policies = world.configuration.policies.map((one) => (one === policy ? { ...one, ...over } : one));
        const after = granted(found);
        const weaker: Question = { ...after, configuration: { ...after.configuration, policies } };
        expect(visible(weaker)).not.toContain(found.tool.id);
      }
    });
  });

  test("needs no other grant where only a later step hides its tool", () => {
    forEachOffer((found) => {
      const { configuration, request, now } = granted(found);
      const tools = configuration.tools.map((one) => (one.id === found.tool.id ? { ...one, enabled: false } : one));
      const index = compile({ ...configuration, tools });
      const withheld = explain(index, { ...request, includeDisabled: false }, found.tool.id, now);
      expect(withheld?.fix?.changes.map(({ kind }) => kind)).toEqual(["enable"]);
    });
  });

  test("is bound by the argument conditions of its request policy, and named in the explanation", () => {
    forEachOffer((found) => {
      const condition = { claim: "n", operator: "lte" as const, value: 5, ignoreCase: false };
      const policies = found.world.configuration.policies.map((one) =>
        one === found.policy ? { ...one, arguments: [condition] } : one,
      );
      const after = granted(found);
      const index = compile({ ...after.configuration, policies });
      const { request, now } = after;
      expect(checkArguments(index, request, found.tool.id, { n: 6 }, now)).toMatchObject({ allowed: false });
      const via = explain(index, request, found.tool.id, now)?.via ?? [];
      expect(via.map((one) => one.policies)).toEqual([["access:new"]]);
      expect(via.map(({ how }) => how)).toEqual([["granted"]]);
    });
  });

  test("is decided the same for one tool as for the list, and with an index made from the one before", () => {
    forEachOffer((found) => {
      const { configuration, request, now } = granted(found);
      const before = compile(found.world.configuration);
      const after = compile(configuration, before);
      expect(check(after, request, found.tool.id, now).verdict).toBe("visible");
      expect(check(compile(found.world.configuration, after), request, found.tool.id, now).verdict).toBe("hidden");
    });
  });
});
