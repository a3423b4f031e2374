import type { ReactNode } from "react";
import { useDemo } from "@/components/overview/demo-note";
import { guideHref } from "@/components/docs/guides";
import { FirstCall } from "@/components/onboarding/first-call";
import { firstAgent, firstGroup, firstKey, firstPolicy } from "@/components/onboarding/first-rows";
import { Step } from "@/components/onboarding/step";
import { WhatItDoes } from "@/components/onboarding/what-it-does";
import { useBeginnings } from "@/components/onboarding/use-beginnings";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { ProblemNote } from "@/components/resource/problem-note";
import { totalText } from "@/components/resource/list/total-text";
import { useCan, useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Input, ResourceName } from "@/lib/resources";
import type { Total } from "@/lib/contracts/changes/list";
import { KINDS } from "@/lib/resources/kinds";
import { can } from "@/lib/resources/permissions";

type Beginnings = ReturnType<typeof useBeginnings>;

/** Whether a step is done, and whether it is the next one. */
interface Progress {
  readonly done: boolean;
  readonly next: boolean;
}

interface StepSpec {
  readonly title: string;
  readonly isDone: (have: Beginnings) => boolean;
  readonly text: (have: Beginnings, done: boolean) => ReactNode;
  readonly action?: (have: Beginnings, progress: Progress) => ReactNode;
}

const STEPS: readonly StepSpec[] = [
  {
    title: "Add tools",
    isDone: ({ tools }) => some(tools),
    text: ({ tools }, done) =>
      done
        ? `${counted(tools, "tool")} can be granted. Import an OpenAPI document or connect an MCP server for more.`
        : "Import an OpenAPI document, connect an MCP server, or write a script.",
    action: (_, { done }) => <AddTools done={done} />,
  },
  {
    title: "Create a group",
    isDone: ({ groups }) => some(groups),
    text: ({ groups }, done) =>
      done
        ? `${counted(groups, "group")}, such as ${groups?.items[0]?.name}.`
        : "A group selects tools by their properties. New tools that match join automatically.",
    action: ({ tools }, progress) => (
      <Begin {...progress} resource="groups" input={firstGroup(tools?.items[0]?.source)} word="group" />
    ),
  },
  {
    title: "Grant the group in a policy",
    isDone: ({ policies }) => some(policies),
    text: ({ policies }, done) =>
      done
        ? `${counted(policies, "active policy", "active policies")} ${policies?.total === 1 ? "grants" : "grant"} tools, such as ${policies?.items[0]?.name}.`
        : "A policy grants groups to callers. Without a policy, callers see no tools.",
    action: ({ groups }, progress) => (
      <Begin {...progress} resource="policies" input={firstPolicy(groups?.items[0]?.name)} word="policy" />
    ),
  },
  {
    title: "Register an agent",
    isDone: ({ agent }) => agent !== undefined,
    text: ({ agent }) =>
      agent === undefined
        ? "Policies read the agent’s attributes as claims. The form contains an example team that matches the example policy."
        : `${agent} is registered.`,
    action: (_, progress) => <Begin {...progress} resource="agents" input={firstAgent()} word="agent" />,
  },
  {
    title: "Create its API key",
    isDone: hasKey,
    text: ({ agent, keys }, done) => {
      if (!done) return "The page shows the key once. Copy it for the last step.";
      return keys === null ? `${agent} has a key and has made a call.` : `${agent} has ${counted(keys, "key")}.`;
    },
    action: ({ agent }, progress) =>
      agent !== undefined && <Begin {...progress} resource="api-keys" input={firstKey(agent)} word="API key" />,
  },
  {
    title: "Check which tools it gets",
    isDone: seesTools,
    text: ({ agent, seen }) => {
      if (agent === undefined || seen === undefined)
        return "The preview uses the same rules as calls and explains every result.";
      return seen.tools.length === 0
        ? `${agent} gets no tools yet. The preview names the smallest change that grants some.`
        : `${agent} gets ${counted({ total: seen.tools.length }, "tool")}.`;
    },
    action: ({ agent }) =>
      agent !== undefined && (
        <LinkButton href={`/admin/preview?${new URLSearchParams({ agent })}`} className="max-w-full shrink">
          <span className="truncate">Preview as {agent}</span>
        </LinkButton>
      ),
  },
  {
    title: "Make the first call",
    isDone: ({ call }) => call !== undefined,
    text: (have) =>
      (hasKey(have) || have.keys === null) && seesTools(have) && have.seen !== undefined && have.agent !== undefined ? (
        <FirstCall agent={have.agent} seen={have.seen} call={have.call} latest={have.latest} />
      ) : (
        "Call a tool with the key from a shell. The call appears in the log."
      ),
  },
];

/** The steps that a form does. */
const FORM_STEPS = STEPS.slice(1, 5);

/** The steps to the first allowed call, with suggested values and their progress. */
export function GettingStarted() {
  const have = useBeginnings();
  const demo = useDemo();
  if (have.error !== null) return <ProblemNote page error={have.error} />;
  const next = have.isPending ? undefined : STEPS.find(({ isDone }) => !isDone(have));
  const hasDemo = demo.data !== undefined && demo.data.rows > 0;
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 p-5">
      {have.call === undefined && <WhatItDoes />}
      <div>
        <h1 className="text-lg font-semibold tracking-tight">Getting started</h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          These steps lead to the first allowed call in about five minutes.{" "}
          {hasDemo && "The demo has done the checked ones. Use their buttons to add your own. "}
          {next !== undefined && (
            <>
              Next: <strong className="font-medium text-ink">{next.title}</strong>.{" "}
            </>
          )}
          {!have.isPending &&
            FORM_STEPS.some(({ isDone }) => !isDone(have)) &&
            "Each New button opens a form with example values and returns to this page. "}
          See also{" "}
          <TextLink href={guideHref("admin", "getting-started")} target="_blank">
            the guide
          </TextLink>
          .
        </p>
      </div>
      {have.isPending ? <Skeleton className="h-96" /> : <Steps have={have} next={next} />}
      {have.call !== undefined && (
        <p className="text-sm text-muted">
          Setup is complete. <TextLink href="/admin/overview">The overview</TextLink> shows all calls.{" "}
          <TextLink href={guideHref("agent-developer")} target="_blank">
            The guide for agent developers
          </TextLink>{" "}
          explains how agents call tools.
        </p>
      )}
    </div>
  );
}

function Steps({ have, next }: { have: Beginnings; next: StepSpec | undefined }) {
  return (
    <ol className="overflow-hidden rounded-lg border border-line">
      {STEPS.map((step, index) => {
        const progress = { done: step.isDone(have), next: step === next };
        return (
          <Step
            key={step.title}
            {...progress}
            number={index + 1}
            title={step.title}
            action={step.action?.(have, progress)}
          >
            {step.text(have, progress.done)}
          </Step>
        );
      })}
    </ol>
  );
}

function AddTools({ done }: { done: boolean }) {
  if (!useCan("configuration:write")) return null;
  return <LinkButton href="/admin/sources">{done ? "Add more" : "Add a source"}</LinkButton>;
}

interface BeginProps<R extends ResourceName> extends Progress {
  resource: R;
  /** The example values. */
  input: Input<R>;
  word: string;
}

/** Opens the form of a new row with example values; an empty form if there is a row already. */
function Begin<R extends ResourceName>({ done, next, resource, input, word }: BeginProps<R>) {
  const go = useGo();
  const { role } = useWho();
  if (!can(role, KINDS[resource].write))
    return done ? null : <span className="text-xs text-faint">Only an administrator can do this.</span>;
  if (done) return <LinkButton href={`/admin/${resource}/new`}>Another {word}</LinkButton>;
  return (
    <Button variant={next ? "primary" : "secondary"} onClick={() => go(storeDraft(resource, input, "start"))}>
      New {word}
    </Button>
  );
}

/** For a person who may not read keys, a call shows that a key exists. */
function hasKey({ keys, call }: Beginnings): boolean {
  return keys === null ? call !== undefined : some(keys);
}

function seesTools({ seen }: Beginnings): boolean {
  return seen !== undefined && seen.tools.length > 0;
}

function some(page: Total | undefined): boolean {
  return (page?.total ?? 0) > 0;
}

function counted(page: Total | undefined, one: string, many = `${one}s`): string {
  return `${totalText(page ?? { total: 0 })} ${page?.total === 1 ? one : many}`;
}
