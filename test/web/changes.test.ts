import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { settingsInParts } from "@/components/settings/settings-words";
import { ChangedObject } from "@/components/changes/change-view";
import { changesInWords, requestedAction, unchangedInWords } from "@/components/changes/change-words";
import { changedName } from "@/lib/contracts/changes/row-words";
import { RESOURCE_NAMES } from "@/lib/resources/kinds";
import { planSentences } from "@/lib/contracts/changes/plan-sentences";
import {
  changesOf,
  firstChangedPath,
  same,
  sentencesOf,
  sentencesOfNew,
  sentencesOnDescription,
  statedInWords,
} from "@/components/resource/editor/changes";

describe("what a changed row is", () => {
  const hook = {
    name: "alarms",
    description: "",
    url: "https://a.example/hook",
    events: ["audit.alarm"],
    active: false,
  };
  const change = { resource: "webhooks", action: "update", before: hook, after: { ...hook, active: true } } as const;

  test("its identifying fields that do not change are stated", () => {
    expect(unchangedInWords(change)).toEqual(["url: “https://a.example/hook”", "events: audit.alarm"]);
    expect(unchangedInWords({ ...change, after: { ...change.after, url: "https://b.example" } })).toEqual([
      "events: audit.alarm",
    ]);
  });

  test("names conditions on arguments, and says that a row is off", () => {
    const conditions = [{ claim: "amount", operator: "less_than", value: 9 }];
    const before = { name: "x", active: false, groups: ["a"], arguments: conditions };
    const words = unchangedInWords({
      resource: "policies",
      action: "update",
      before,
      after: { ...before, groups: [] },
    });
    expect(words).toContain("active: off");
    expect(words.join("; ")).toContain("amount");
  });

  test("a creation and a deletion state the whole row themselves", () => {
    expect(unchangedInWords({ ...change, action: "create", before: null })).toEqual([]);
    expect(unchangedInWords({ ...change, action: "delete", after: null })).toEqual([]);
  });

  test("every kind of row has identifying fields", () => {
    for (const resource of RESOURCE_NAMES) {
      const before = { name: "x", description: "d", enabled: true, agent: "a", email: "e", role: "r", issuer: "i" };
      expect([resource, unchangedInWords({ resource, action: "update", before, after: before })]).not.toEqual([
        resource,
        [],
      ]);
    }
  });
});

describe("the review of changes", () => {
  test("an unchanged value has no changes, whatever the order of its keys", () => {
    expect(changesOf({ a: { b: 1, c: [2] } }, { a: { c: [2], b: 1 } })).toEqual([]);
  });

  test("the path of the first difference enters objects, but no lists", () => {
    const limits = { perDay: null, rate: { points: 1, seconds: 60 } };
    expect(firstChangedPath({ limits }, { limits: { ...limits, perDay: 7 } })).toBe("limits.perDay");
    expect(firstChangedPath({ limits }, { limits: { ...limits, rate: null } })).toBe("limits.rate");
    expect(firstChangedPath({ tags: ["a"] }, { tags: ["b"] })).toBe("tags");
    expect(firstChangedPath({ limits }, { limits })).toBeNull();
  });

  test("not set, none and all read differently", () => {
    const sentences = (before: unknown, after: unknown) =>
      sentencesOf(changesOf({ groups: before }, { groups: after }));
    expect(sentences(null, [])).toEqual([{ sign: "~", text: "groups: not set → none" }]);
    expect(sentences(["*"], null)).toEqual([{ sign: "~", text: "groups: * → not set" }]);
    expect(sentences([], ["*"])).toEqual([{ sign: "+", text: "groups: “*”" }]);
  });

  test("a text that was empty is added", () => {
    const changes = changesOf({ name: "", note: "old" }, { name: "desk", note: "" });
    expect(sentencesOf(changes)).toEqual([
      { sign: "+", text: "name: “desk”" },
      { sign: "~", text: "note: “old” → empty" },
    ]);
  });

  test("a new row states its values: nothing was there before", () => {
    const blank = { effect: "allow", active: true, groups: ["*"], limits: { perDay: null } };
    const changes = changesOf(blank, { effect: "deny", active: false, groups: ["crm"], limits: { perDay: 5 } });
    expect(sentencesOfNew(changes)).toEqual([
      { sign: "+", text: "effect: “deny”" },
      { sign: "+", text: "active: off" },
      { sign: "+", text: "groups: “crm”" },
      { sign: "+", text: "limits: per day 5" },
    ]);
  });

  test("a list names added and removed items in the words of its view", () => {
    const before = { matchers: [{ claim: "team" }, { claim: "role" }] };
    const after = { matchers: [{ claim: "team" }, { claim: "scope" }] };
    expect(
      sentencesOf(changesOf(before, after), { matchers: (one: { claim: string }) => `where ${one.claim}` }),
    ).toEqual([{ sign: "~", text: "conditions: where role → where scope" }]);
    expect(sentencesOf(changesOf({ tags: ["a"] }, { tags: ["b", "c"] })).map(({ sign }) => sign)).toEqual([
      "−",
      "+",
      "+",
    ]);
  });

  test("a tool that a person included or excluded reads as its id", () => {
    const by = { tool: "crm:get_contact", who: "ada", when: "2026-11-27T05:00:00.000Z" };
    const [before, after] = [
      { include: [], exclude: [] },
      { include: [by], exclude: [{ ...by, reason: "too broad" }] },
    ];
    expect(sentencesOf(changesOf(before, after)).map(({ text }) => text)).toEqual([
      "include: crm:get_contact",
      "exclude: crm:get_contact (too broad)",
    ]);
  });

  test("the sentence about a created row names what it states, and leaves out empty fields", () => {
    const row = {
      name: "finance",
      active: true,
      description: "",
      validFrom: null,
      matchers: [
        { claim: "team", operator: "equals", value: "finance", ignoreCase: false },
        { claim: "employment", operator: "not_equals", value: "contractor", ignoreCase: false },
      ],
      groups: ["invoices", "reports"],
    };
    expect(statedInWords(row, "+").map(({ text }) => text)).toEqual([
      "name: “finance”",
      "active: on",
      "conditions: team equals “finance”",
      "conditions: employment does not equal “contractor”",
      "groups: invoices, reports",
    ]);
    expect(statedInWords({ name: "finance" }, "−")).toEqual([{ sign: "−", text: "name: “finance”" }]);
  });

  test("a setting reads as its field on the page does", () => {
    const before = settingsInParts({ review: { changes: "off", hours: 4 } });
    const after = settingsInParts({ review: { changes: "widening", hours: 8 } });
    expect(sentencesOf(changesOf(before, after)).map(({ text }) => text)).toEqual([
      "changes that wait: “None” → “Those that give more access”",
      "review hours: 4 → 8",
    ]);
  });

  test("a list in another order is one change", () => {
    expect(sentencesOf(changesOf({ tags: ["a", "b"] }, { tags: ["b", "a"] }))).toEqual([
      { sign: "~", text: "tags: order changed" },
    ]);
  });

  test("a field's name is read as words", () => {
    expect(sentencesOf(changesOf({ availableInStates: null }, { availableInStates: [] }))[0]?.text).toBe(
      "available in states: not set → none",
    );
  });

  test('a limit reads "limit per day", not as a path', () => {
    const none = { rate: null, perDay: null, perCaller: { rate: null } };
    const some = { rate: { points: 3, seconds: 60 }, perDay: 500, perCaller: { rate: { points: 1, seconds: 90 } } };
    expect(sentencesOf(changesOf({ limits: none }, { limits: some })).map(({ text }) => text)).toEqual([
      "limit: none → 3 calls per minute",
      "limit per day: none → 500",
      "limit per caller: none → 1 call per 90 seconds",
    ]);
  });

  test("objects are compared by field, conditions read as sentences, and no sentence holds JSON", () => {
    const before = { attributes: { team: "a", nested: { deep: 1 } }, matchers: [] };
    const after = {
      attributes: { team: "b", nested: { deep: 2 } },
      matchers: [{ claim: "team", operator: "in", value: ["a", "b"], ignoreCase: false }],
    };
    const texts = sentencesOf(changesOf(before, after)).map(({ text }) => text);
    expect(texts).toEqual([
      "attributes › team: “a” → “b”",
      "attributes › nested › deep: 1 → 2",
      "conditions: team is one of a, b",
    ]);
    expect(sentencesOf(changesOf({ schema: null }, { schema: { type: "object", required: [] } }))[0]?.text).toBe(
      "schema: not set → type “object”",
    );
  });

  test("a public key is named by its id and algorithm, never by its value", () => {
    const key = (kid: string) => ({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", kid, x: "x".repeat(43) });
    const [before, after] = [{ jwks: { keys: [key("old")] } }, { jwks: { keys: [key("new")] } }];
    expect(sentencesOf(changesOf(before, after))).toEqual([
      { sign: "~", text: "public keys: “old” (EdDSA) → “new” (EdDSA)" },
    ]);
    expect(sentencesOf(changesOf({ jwks: null }, after))).toEqual([
      { sign: "~", text: "public keys: not set → “new” (EdDSA)" },
    ]);
    expect(statedInWords({ jwks: { keys: [{ kty: "EC", x: "x" }] } }, "+")[0]?.text).toBe("public keys: EC key");
  });

  test("a revision names its rows, and only the kind of a row whose id was generated", () => {
    const first = [
      { resource: "token-keys", id: "k".repeat(43), action: "create" as const },
      { resource: "policies", id: "finance", action: "update" as const },
      { resource: "settings", id: "settings", action: "update" as const },
    ];
    expect(changesInWords({ first, changes: 5 })).toBe(
      "created signing key, changed access policy finance, changed settings and 2 more",
    );
  });

  test("a revision says of a pause which calls it paused or resumed", () => {
    const pause = { resource: "pauses", id: "agent:bot" };
    expect(changesInWords({ first: [{ ...pause, action: "create" }], changes: 1 })).toBe(
      "paused calls by the agent bot",
    );
    expect(changesInWords({ first: [{ ...pause, action: "delete" }], changes: 1 })).toBe(
      "resumed calls by the agent bot",
    );
    const all = { resource: "pauses", id: "all", action: "delete" } as const;
    expect(changesInWords({ first: [all], changes: 1 })).toBe("resumed all calls");
  });

  test("a change names a row whose id was generated by its fields", () => {
    const nameOf = (resource: string, after: Readonly<Record<string, string | null>> | null) =>
      changedName({ resource, rowId: "k".repeat(43), before: null, after });
    expect(nameOf("token-keys", { id: "k".repeat(43) })).toBe("for access tokens");
    expect(nameOf("revocations", { jti: "token-1" })).toBe("token-1");
    expect(nameOf("erasures", { subject: null, agent: "bot" })).toBe("of bot");
    expect(nameOf("erasures", { subject: null, agent: null })).toBe("of every caller");
    expect(nameOf("connections", { client: "Claude", agent: "bot" })).toBe("Claude as bot");
    expect(nameOf("policies", { tool: "x", subject: "y" })).toBe("k".repeat(43));
  });

  test("the page of a change names such a row as the list does", () => {
    const change = {
      id: "c1",
      resource: "connections",
      rowId: "generated",
      action: "create" as const,
      before: null,
      after: { client: "Claude", agent: "bot" },
      actor: { kind: "user" as const, name: "ann", role: "admin" as const },
      revision: 2,
      at: "2026-01-01T00:00:00Z",
    };
    const html = renderToStaticMarkup(createElement(ChangedObject, { change }));
    expect(html).toContain("Claude as bot");
    expect(html).not.toContain(">generated<");
  });

  test("many changes within one object are one sentence", () => {
    const of = (value: number) => Object.fromEntries([..."abcdefghij"].map((key) => [key, value]));
    expect(sentencesOf(changesOf({ schema: of(1) }, { schema: of(2) }))).toEqual([
      { sign: "~", text: "schema: 10 changes" },
    ]);
  });

  test("null is not an empty object, and a list is not an object", () => {
    expect(same(null, {})).toBe(false);
    expect(same([], {})).toBe(false);
    expect(same({ a: undefined }, {})).toBe(false);
  });
});

test("the plan of a document lists several rows, at most 12 of a kind", () => {
  const created = Array.from({ length: 14 }, (_, n) => `holds ${n}`);
  const none = { created: [], changed: [], deleted: [], unchanged: 0 };
  const [many, one] = planSentences({
    sections: { assertions: { ...none, created }, policies: { ...none, deleted: ["finance"] } },
  });
  expect(many).toMatchObject({ sign: "+", text: "creates 14 assertions:" });
  expect([many?.items.length, many?.items[0], many?.items.at(-1)]).toEqual([13, "`holds 0`", "and 2 more"]);
  expect(one).toEqual({ sign: "−", text: "deletes the access policy `finance`", items: [] });
});

test("a request says what it would do until its change is saved", () => {
  const statuses = ["open", "refused", "withdrawn", "expired"] as const;
  expect(statuses.map((status) => requestedAction("create", status))).toEqual(statuses.map(() => "creates"));
  const saved = ["applied", "bypassed", "reverted"] as const;
  expect(saved.map((status) => requestedAction("update", status))).toEqual(saved.map(() => "changed"));
});

test("a review recalls the description of a policy only when its argument conditions change without it", () => {
  const conditions = [{ claim: "amount", operator: "lte", value: 50 }];
  const row = { description: "Refunds above 100 euro need a supervisor.", arguments: conditions };
  const changed = (field: string) => ({ field, before: null, after: null });
  expect(sentencesOnDescription(row, [changed("arguments")]).map(({ text }) => text)).toEqual([
    "Agents read this policy's description when it refuses their arguments: “Refunds above 100 euro need a supervisor.”",
  ]);
  expect(sentencesOnDescription(row, [changed("arguments"), changed("description")])).toEqual([]);
  expect(sentencesOnDescription(row, [changed("groups")])).toEqual([]);
  expect(sentencesOnDescription({ ...row, description: " " }, [changed("arguments")])).toEqual([]);
  expect(sentencesOnDescription({ ...row, arguments: [] }, [changed("arguments")])).toEqual([]);
});
