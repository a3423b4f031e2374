"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { guideHref } from "@/components/docs/guides";
import { FirstCall } from "@/components/onboarding/first-call";
import { firstAgent, firstGroup, firstKey, firstPolicy } from "@/components/onboarding/first-rows";
import { Step } from "@/components/onboarding/step";
import { WhatItDoes } from "@/components/onboarding/what-it-does";
import { useBeginnings } from "@/components/onboarding/use-beginnings";
import { keepDraft } from "@/components/resource/editor/kept-draft";
import { ProblemNote } from "@/components/resource/problem-note";
import { totalText } from "@/components/resource/list/total-text";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Input, ResourceName } from "@/lib/resources";
import type { Total } from "@/lib/contracts/changes/list";
import { can } from "@/lib/resources/permissions";

/** The steps to the first allowed call, with suggested values and their progress. */
export function GettingStarted() {
  const have = useBeginnings();
  const router = useRouter();
  const { role } = useWho();
  if (have.error !== null) return <ProblemNote page error={have.error} />;
  if (have.isPending) return <Skeleton className="m-5 h-96 max-w-3xl" />;
  const { agent, seen } = have;
  const group = have.groups?.items[0]?.name;
  const done = {
    tools: some(have.tools),
    group: some(have.groups),
    policy: some(have.policies),
    agent: agent !== undefined,
    key: have.keys === null ? have.call !== undefined : some(have.keys),
    seen: seen !== undefined && seen.tools.length > 0,
    call: have.call !== undefined,
  };
  const next = Object.entries(done).find(([, isDone]) => !isDone)?.[0];
  const step = (name: keyof typeof done, number: number) => ({ number, done: done[name], next: next === name });
  const begin = <R extends ResourceName>(name: keyof typeof done, resource: R, input: Input<R>, word: string) => {
    if (!can(role, resource === "api-keys" ? "keys:write" : "configuration:write"))
      return done[name] ? undefined : <span className="text-xs text-faint">Only an administrator can do this.</span>;
    if (done[name]) return <LinkButton href={`/admin/${resource}/new`}>Another {word}</LinkButton>;
    return (
      <Button
        variant={next === name ? "primary" : "secondary"}
        onClick={() => router.push(keepDraft(resource, input, "start") as Route)}
      >
        New {word}
      </Button>
    );
  };

  return (
    <div className="flex max-w-4xl flex-col gap-4 p-5">
      {have.call === undefined && <WhatItDoes />}
      <div>
        <h1 className="text-lg font-semibold tracking-tight">Getting started</h1>
        <p className="mt-1 max-w-prose text-sm text-muted">
          These steps lead to the first allowed call in about five minutes. Each step opens a form with example values
          and then returns to this page. See also{" "}
          <TextLink href={guideHref("admin", "getting-started")}>the guide</TextLink>.
        </p>
      </div>
      <ol className="overflow-hidden rounded-lg border border-line">
        <Step
          {...step("tools", 1)}
          title="Add tools"
          action={
            can(role, "configuration:write") ? (
              <LinkButton href="/admin/sources">{done.tools ? "Add more" : "Add a source"}</LinkButton>
            ) : undefined
          }
        >
          {done.tools
            ? `${counted(have.tools, "tool")} can be granted. Import an OpenAPI document or connect an MCP server for more.`
            : "Import an OpenAPI document, connect an MCP server, or write a script."}
        </Step>
        <Step
          {...step("group", 2)}
          title="Create a group"
          action={begin("group", "groups", firstGroup(have.tools?.items[0]?.source), "group")}
        >
          {done.group
            ? `${counted(have.groups, "group")}, such as ${group}.`
            : "A group selects tools by their properties. New tools that match join automatically."}
        </Step>
        <Step
          {...step("policy", 3)}
          title="Grant the group in a policy"
          action={begin("policy", "policies", firstPolicy(group), "policy")}
        >
          {done.policy
            ? `${counted(have.policies, "policy", "policies")}, such as ${have.policies?.items[0]?.name}.`
            : "A policy grants groups to callers. Without a policy, callers see no tools."}
        </Step>
        <Step {...step("agent", 4)} title="Register an agent" action={begin("agent", "agents", firstAgent(), "agent")}>
          {agent === undefined
            ? "Policies read the agent’s attributes as claims. The form contains an example team that matches the example policy."
            : `${agent} is registered.`}
        </Step>
        <Step
          {...step("key", 5)}
          title="Create its API key"
          action={agent === undefined ? undefined : begin("key", "api-keys", firstKey(agent), "API key")}
        >
          {done.key
            ? have.keys === null
              ? `${agent} has a key and has made a call.`
              : `${agent} has ${counted(have.keys, "key")}.`
            : "The page shows the key once. Copy it for the last step."}
        </Step>
        <Step
          {...step("seen", 6)}
          title="Preview its tools"
          action={
            agent !== undefined && (
              <LinkButton href={`/admin/preview?${new URLSearchParams({ agent })}`}>Preview as {agent}</LinkButton>
            )
          }
        >
          {agent === undefined || seen === undefined
            ? "The preview uses the same rules as calls and explains every result."
            : seen.tools.length === 0
              ? `${agent} gets no tools yet. The preview names the smallest change that grants some.`
              : `${agent} gets ${counted({ total: seen.tools.length }, "tool")}.`}
        </Step>
        <Step {...step("call", 7)} title="Make the first call">
          {(done.key || have.keys === null) && done.seen && seen !== undefined ? (
            <FirstCall seen={seen} call={have.call} latest={have.latest} />
          ) : (
            "Call a tool with the key from a shell. The call appears in the log."
          )}
        </Step>
      </ol>
      {done.call && (
        <p className="text-sm text-muted">
          Setup is complete. <TextLink href="/admin/overview">The overview</TextLink> shows all calls.{" "}
          <TextLink href={guideHref("agent-developer")}>The guide for agent developers</TextLink> explains how agents
          call tools.
        </p>
      )}
    </div>
  );
}

function some(page: Total | undefined): boolean {
  return (page?.total ?? 0) > 0;
}

function counted(page: Total | undefined, one: string, many = `${one}s`): string {
  return `${totalText(page ?? { total: 0 })} ${page?.total === 1 ? one : many}`;
}
