import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { createElement, useState, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AnswerBar } from "@/components/approvals/answer-bar";
import { RemovedFindings } from "@/components/impact/impact-findings";
import { callersFor, defaultCaller } from "@/components/machines/simulate";
import { BLANK_DRAFT } from "@/components/preview/draft";
import { MachineInput } from "@/components/preview/inputs/inputs";
import { PausedTools } from "@/components/agents/no-tools";
import { useStopOfAgent } from "@/components/pause/use-pauses";
import { FindingPlaces } from "@/components/findings/finding-places";
import { ATTENTION } from "@/components/resource/attention";
import { useErasures } from "@/components/executions/erase-filtered";
import { useDraft } from "@/components/resource/editor/draft";
import { fromControl } from "@/components/resource/fields/time-field";
import { useSelection, type Listed, type Selection } from "@/components/resource/list/use-selection";
import { refetchAfter } from "@/components/resource/query-client";
import { useSettingsDraft } from "@/components/settings/settings-editor";
import { useTypedNames, withDefaultGroup } from "@/components/resource/use-names";
import { WhoProvider } from "@/components/resource/who";
import { groupsHint } from "@/components/views/sources/import-groups";
import { latestOf, useSeenTime } from "@/components/views/flow/clear-label";
import { Restrictions } from "@/components/views/flow/restrictions";
import { confirmedFlow } from "@/components/views/tools/guessed-flow";
import { policies } from "@/components/views/rules/policies";
import { useMatcherText } from "@/components/views/rules/matcher-value";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import type { PolicyInput } from "@/lib/resources/policy";
import type { Row } from "@/lib/resources";
import { settingsInput } from "@/lib/resources/settings";
import { runHook } from "@/test/support/vitest/run-hook";
import { sendToEach } from "@/components/resource/bulk/send-to-each";

type Value = PolicyInput["matchers"][number]["value"];

/** Types into a condition's number field as a person does: each key adds to the text that the field shows. */
function typed(keys: string) {
  const useField = () => {
    const [value, onChange] = useState<Value>("");
    const [text, type] = useMatcherText("number_or_time", { value, onChange });
    return { value, text, type };
  };
  const { value, text } = runHook(
    useField,
    ...[...keys].map((key) => (now: ReturnType<typeof useField>) => now.type(now.text + key)),
  );
  return { value, text };
}

test.each([
  ["1.5", 1.5],
  ["0.05", 0.05],
  ["100.50", 100.5],
  ["1e3", 1000],
  ["2026-01-31T00:00:00Z", "2026-01-31T00:00:00Z"],
])("a condition whose value is typed as %s stores %j and shows what was typed", (keys, value) => {
  expect(typed(keys)).toEqual({ value, text: keys });
});

const selecting = (...steps: readonly ((now: Selection) => void)[]) => {
  const listed = { ids: ["a", "b", "c"], of: "name", hasMore: false };
  const { all, ids } = runHook(() => useSelection("q=crm", listed), ...steps);
  return { all, ids: [...ids] };
};

test("a row that is deselected from all leaves the other loaded rows selected", () => {
  const chosen = selecting(
    (now) => now.toggle("a"),
    (now) => now.chooseAll(),
    (now) => now.toggle("b"),
  );
  expect(chosen).toEqual({ all: false, ids: ["a", "c"] });
});

test("the checkbox above the rows deselects all of them", () => {
  const chosen = selecting(
    (now) => now.toggle("a"),
    (now) => now.chooseAll(),
    (now) => now.toggleShown(["a", "b", "c"]),
  );
  expect(chosen).toEqual({ all: false, ids: [] });
});

/** The rows that stay selected when `later` is loaded over a list of a to d. */
const selectedAfter = (ticked: string, later: Partial<Listed>) => {
  const useListed = () => {
    const [listed, list] = useState<Listed>({ ids: [..."abcd"], of: "name", hasMore: true });
    return { ...useSelection("q=crm", listed), list };
  };
  type Selecting = ReturnType<typeof useListed>;
  const tick = [...ticked].map((id) => (now: Selecting) => now.toggle(id));
  const load = (now: Selecting) => now.list({ ids: [], of: "name", hasMore: true, ...later });
  return [...runHook(useListed, ...tick, load).ids].join("");
};

test("a selected row that leaves the list leaves the selection, and one on a further page stays", () => {
  expect(selectedAfter("abd", { ids: ["a", "c", "d"] })).toBe("ad");
  expect(selectedAfter("abd", { ids: ["a", "b", "c"], hasMore: false })).toBe("ab");
  // New rows above push the last ones onto the next page, another order moves rows, and placeholders are another query's.
  expect(selectedAfter("abd", { ids: ["x", "a", "b", "c"] })).toBe("abd");
  expect(selectedAfter("abd", { ids: ["d", "x", "y", "z"], of: "-name" })).toBe("abd");
  expect(selectedAfter("abd", { of: null, hasMore: false })).toBe("abd");
});

test("a discard mounts the fields anew, because they may hold text or a choice that is no value", () => {
  const useHours = () => useDraft({ hours: 24 }, { readOnly: false, isNew: false });
  type Hours = ReturnType<typeof useHours>;
  const discard = (now: Hours) => now.discard();
  const { fieldsKey } = runHook(useHours);
  for (const change of [
    (now: Hours) => now.draft.set("hours", 36),
    (now: Hours) => now.draft.block("hours", "Enter a number"),
  ])
    expect(runHook(useHours, change, discard)).toMatchObject({
      isBlocked: false,
      changes: [],
      fieldsKey: fieldsKey + 1,
    });
});

test("a time with a year of five digits changes nothing", () => {
  expect(fromControl("2026-01-31T09:30", "utc")).toBe("2026-01-31T09:30:00.000Z");
  expect(fromControl("", "utc")).toBeNull();
  for (const zone of ["utc", "local"] as const) expect(fromControl("20266-01-31T09:30", zone)).toBeUndefined();
});

test("a draft of settings follows newer settings until a person changes it", () => {
  const newer = { ...settingsInput.parse({}), sessionHours: 36, version: 4 };
  const useSettings = () => {
    const [stored, setStored] = useState({ ...settingsInput.parse({}), version: 3 });
    return { ...useSettingsDraft(stored, true), setStored };
  };
  type Settings = ReturnType<typeof useSettings>;
  const load = (now: Settings) => now.setStored(newer);
  const unchanged = runHook(useSettings, load);
  expect([unchanged.version, unchanged.draft.value.sessionHours, unchanged.changes]).toEqual([4, 36, []]);
  const changed = runHook(useSettings, (now) => now.draft.set("sessionHours", 12), load);
  expect([changed.version, changed.draft.value.sessionHours]).toEqual([3, 12]);
});

test("a held label is found in a newer list", () => {
  const held = {
    issuer: "urn:own",
    subject: "bot",
    session: null,
    callId: "call_1",
    toolId: "crm:read",
    at: "2026-01-01T00:00:00Z",
    until: null,
    lastAt: "2026-01-01T00:00:00Z",
    own: false,
  };
  const later = { ...held, lastAt: "2026-01-01T00:05:00Z" };
  expect(latestOf([{ ...later, session: "ses_1" }, { ...later, subject: "other" }, later], held)).toBe(later);
  expect(latestOf([], held)).toBe(held);
  const labelled = { ...held, label: "private" };
  expect(latestOf([{ ...later, label: "untrusted" }], labelled)).toBe(labelled);
});

test("a label that a later call raised is cleared at the time of that call only after a refusal", () => {
  const useDialog = () => {
    const [listed, list] = useState("00:00");
    return { ...useSeenTime(listed), list };
  };
  type Dialog = ReturnType<typeof useDialog>;
  const refetch = (now: Dialog) => now.list("00:05");
  const refuse = (now: Dialog) => now.refuse();
  expect(runHook(useDialog, refetch).seen).toBe("00:00");
  expect(runHook(useDialog, refetch, refuse).seen).toBe("00:05");
  expect(runHook(useDialog, refuse, refetch).seen).toBe("00:05");
  expect(runHook(useDialog, refuse, refetch, (now) => now.list("00:09")).seen).toBe("00:05");
});

test("Confirm guess keeps a guessed label that a list of 500 labels does not hold", () => {
  const options = [{ value: "private", hint: undefined, enabled: true }];
  const picker = { options, onType: () => {}, empty: undefined };
  const tool = {
    flow: { raises: [], is: [] },
    flowGuess: [{ kind: "raises" as const, word: "untrusted", from: "readOnlyHint" }],
  };
  expect(confirmedFlow(tool, { picker, isWhole: false }).flow.raises).toEqual(["untrusted"]);
  expect(confirmedFlow(tool, { picker, isWhole: true }).flow.raises).toEqual([]);
});

test("an approval says once that its agent is disabled", () => {
  const shown = (enabled: boolean) => {
    const client = new QueryClient();
    client.setQueryData(["agents", "row", "bot"], { name: "bot", enabled });
    const approval = {
      id: "call_1",
      status: "waiting",
      mayAnswer: true,
      own: null,
      agent: "bot",
      toolId: "crm:read",
      session: null,
      closesAt: "2030-01-01T00:00:00Z",
      refusedNow: { reason: "unauthenticated", state: null },
    } as unknown as ApprovalDetail;
    const bar = createElement(AnswerBar, { approval });
    return renderToStaticMarkup(createElement(QueryClientProvider, { client }, bar));
  };
  expect(shown(false)).toContain("The agent bot is disabled");
  expect(shown(false)).not.toContain("can no longer sign in");
  expect(shown(true)).toContain("can no longer sign in");
});

test("the simulator begins with an agent of its machine or with nobody, and finds others by typing", () => {
  const agent = (value: string, machine: string | null) => ({ value, hint: undefined, enabled: true, machine });
  const [first, found] = [[agent("a-0", null)], agent("z-9", "desk")];
  expect(defaultCaller("desk", { first: [...first, found] })).toBe("agent:z-9");
  // Typing must not change it while a person looks at its tools.
  expect(defaultCaller("desk", { first })).toBeNull();
  const callers = (options: readonly (typeof found)[], chosen: string | null) =>
    callersFor("desk", { picker: { options: [] } }, { picker: { options } }, chosen).map(({ value }) => value);
  expect(callers([...first, found], null)).toEqual(["agent:z-9", "agent:a-0", "claims"]);
  expect(callers(first, "agent:z-9")).toEqual(["agent:a-0", "claims", "agent:z-9"]);
});

test("a picker whose names could not be read stops loading", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  expect(inPage(client, () => useTypedNames("agents")).isPending).toBe(true);
  await client.prefetchQuery({
    queryKey: ["agents", "names", ""],
    queryFn: () => Promise.reject(new Error("offline")),
  });
  expect(inPage(client, () => useTypedNames("agents")).isPending).toBe(false);
});

test("a picker of groups offers the built-in group default once", () => {
  const names = (...stored: readonly string[]) =>
    withDefaultGroup(stored.map((value) => ({ value }))).map(({ value }) => value);
  expect(names("yard")).toEqual(["yard", "default"]);
  expect(names("default", "yard")).toEqual(["default", "yard"]);
});

test("an import says that it creates a group only when every existing group is listed", () => {
  const picker = { options: [{ value: "yard", hint: undefined, enabled: true }], onType: () => {}, empty: undefined };
  expect(groupsHint(["yard", "dock"], { picker, isWhole: true })).toMatch(/^The import creates dock\./);
  expect(groupsHint(["yard", "dock"], { picker, isWhole: false })).not.toContain("dock");
  expect(groupsHint(["yard"], { picker, isWhole: false })).toMatch(/^Optional\./);
});

test("the preview reads a state machine by its name, also one beyond the first 500", () => {
  const client = new QueryClient();
  client.setQueryData(["machines", "names", ""], { items: [{ name: "a" }], total: 501, nextCursor: "more" });
  client.setQueryData(["machines", "row", "z"], { name: "z", initial: "opened", states: [] });
  const input = createElement(MachineInput, { draft: { ...BLANK_DRAFT, machine: "z" }, change: () => {} });
  expect(inApp(client, input)).toContain("opened");
});

test("the log of a subject offers an erasure for each issuer of its latest calls, and for another issuer", () => {
  const offered = (...issuers: readonly string[]) => {
    const client = new QueryClient();
    const items = issuers.map((issuer) => ({ issuer }));
    client.setQueryData(["executions", "latest", "subject=u-1&limit=100"], { items });
    return inPage(client, () => useErasures({ subject: "u-1" })).map(({ label }) => label);
  };
  const label = "Erase arguments and results of this subject";
  const other = `${label} of another issuer…`;
  expect(offered("a", "a")).toEqual([`${label} of a…`, other]);
  expect(offered("a", "b", "a")).toEqual([`${label} of a…`, `${label} of b…`, other]);
  expect(offered()).toEqual([`${label}…`]);
});

test("the page of a paused agent says who paused it, and offers to resume its calls", () => {
  const client = new QueryClient();
  const pause = {
    scope: "agent",
    name: "bot",
    reason: "It loops.",
    by: "ada",
    since: "2026-11-01T00:00:00.000Z",
  } as const;
  const stopOf = (pauses: object[]) => {
    client.setQueryData(ATTENTION, { pauses });
    return inPage(client, () => useStopOfAgent("bot"));
  };
  expect(stopOf([{ ...pause, scope: "source", name: "support" }])).toBeNull();
  expect(stopOf([{ ...pause, scope: "all", name: null }])).toMatchObject({ scope: "all" });
  expect(stopOf([pause])).toEqual(pause);
  const html = inApp(client, createElement(PausedTools, { pause }));
  expect(html).toContain("Calls by the agent bot are paused by ada");
  expect(html).toContain("It loops.");
  expect(html).toMatch(/<button[^>]*>.*Resume.*calls by the agent bot/s);
});

test("the finding about an unused grant links to the policy in Rightsizing, as its text says", () => {
  const finding = { kind: "unused_grant", about: { kind: "policy", name: "staff" }, refs: [] } as never;
  const html = renderToStaticMarkup(createElement(FindingPlaces, { finding, here: true }));
  expect(html).toContain('href="/admin/rightsizing/staff"');
});

test("a finding that a change removes opens in another tab, which loses no pasted document", () => {
  const findings = { count: 1, items: [{ id: "f-1", text: "Nobody gets this group." }] } as never;
  expect(renderToStaticMarkup(createElement(RemovedFindings, { findings }))).toContain('target="_blank"');
});

test("a row of the list of policies says to screen readers what the policy does", () => {
  const said = (effect: PolicyInput["effect"]) => {
    const row = { effect, everyone: true, matchers: [], groups: ["*"] } as unknown as Row<"policies">;
    const cells = policies.columns.filter(({ id }) => id === "rule").map(({ cell }) => cell(row, false));
    return /aria-label="([^"]+)"/.exec(renderToStaticMarkup(createElement("div", null, ...cells)))?.[1];
  };
  expect((["allow", "deny", "request"] as const).map(said)).toEqual(["grants", "denies", "offers"]);
});

/** What a hook returns in a page with these answers of the server. */
function inPage<T>(client: QueryClient, hook: () => T): T {
  const returned: T[] = [];
  const Page = () => {
    returned.push(hook());
    return null;
  };
  inApp(client, createElement(Page));
  return returned.at(-1)!;
}

/** Renders an element as the app does for an admin. */
function inApp(client: QueryClient, children: ReactNode): string {
  const App = () => WhoProvider({ who: { id: "1", role: "admin" }, children });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(App)));
}

async function refuseOdd(row: number): Promise<void> {
  if (row % 2 === 1) throw new Error(`not ${row}`);
}

test("a request is sent for each row, also after one failed", async () => {
  const { done, failures } = await sendToEach([1, 2, 3, 4], refuseOdd);
  expect([done, failures.map(({ message }) => message)]).toEqual([
    [2, 4],
    ["not 1", "not 3"],
  ]);
});

test("when all fail, the first error is thrown", async () => {
  await expect(sendToEach([1, 3], refuseOdd)).rejects.toThrow("not 1");
});

test("the problem of a list is a sentence with code, as that of a field is", () => {
  const broken = { path: "restricts", value: [], onChange: () => {}, error: "must name `url` first", readOnly: false };
  const list = createElement(Restrictions, { bound: { ...broken, of: {} as never } });
  expect(renderToStaticMarkup(list)).toMatch(/>Must name <code[^>]*>url<\/code> first</);
});

test("after a rename, lists of any name are read again, and queries of the old name only outdated", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } });
  const read: string[] = [];
  const keys = [
    ["groups", "list", { sort: "name" }],
    ["tools", "row", "groups"],
    ["groups", "row", "groups"],
    ["impact", "of", { group: "groups" }],
  ];
  const stops = keys.map((queryKey) => {
    client.setQueryData(queryKey, 0);
    const queryFn = () => read.push(queryKey.slice(0, 2).join(" "));
    return new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  });
  await refetchAfter(client, "groups", "groups");
  expect(read).toEqual(["groups list", "tools row"]);
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([false, false, true, true]);
  for (const stop of stops) stop();
});
