import { useQuery } from "@tanstack/react-query";
import { usePreviewHref } from "@/components/preview/preview-href";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";
import type { CallersInput, CallersOutput, CallerVisibility } from "@/lib/contracts/decisions/callers";
import type { CallerChoice } from "@/components/preview/draft";

interface WhoSeesProps {
  about: CallersInput;
  /** Previews as one of these callers. Absent: links lead to the page of the preview. */
  onCaller?: (caller: CallerChoice) => void;
}

/** Which known callers see a tool, a group or a policy's tools. */
export function useCallers(about: CallersInput) {
  return useQuery({
    queryKey: ["preview", "callers", about],
    queryFn: ({ signal }) =>
      request<CallersOutput>("/api/admin/preview/callers", { method: "POST", body: about, signal }),
  });
}

/** The callers that see a tool, a group or a policy's tools, with the deciding step, from the real resolver. */
export function WhoSees({ about, onCaller }: WhoSeesProps) {
  const { data, error, refetch } = useCallers(about);
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton className="h-40" />;
  if (data.callers.length === 0)
    return (
      <EmptyState title="No callers yet">
        Add a persona or an agent. This list then shows what each caller sees, and why.
      </EmptyState>
    );
  const seeing = data.callers.filter(({ standing }) => standing === "yes" || standing === "partly").length;
  const elsewhere = data.callers.filter(({ standing }) => standing === "other_state").length;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        {seeing.toLocaleString("en")} of {data.callers.length.toLocaleString("en")} known callers {VERBS[about.kind]}
        {elsewhere > 0 && `, and ${elsewhere.toLocaleString("en")} in other states`}, at revision {data.revision}.
        {data.more && " There may be more callers."}
      </p>
      <Table label={`Who sees ${about.name}`} stacks>
        <Headers of={["Caller", "Answer", about.kind !== "tool" && ["Tools", "text-right"], ["Why", "w-full"]]} />
        <tbody>
          {data.callers.map((caller) => (
            <tr key={`${caller.kind} ${caller.name} ${caller.callId}`}>
              <Td className="whitespace-nowrap">
                <Name about={about} caller={caller} onCaller={onCaller} />{" "}
                <span className="text-faint">{caller.kind}</span>
              </Td>
              <Td data-short className="whitespace-nowrap">
                <Answer kind={about.kind} standing={caller.standing} />
              </Td>
              {about.kind !== "tool" && (
                <Td className="text-right whitespace-nowrap text-muted tabular-nums">
                  {caller.visible.toLocaleString("en")} of {data.tools.toLocaleString("en")}
                </Td>
              )}
              <Td className="text-muted">
                <Why about={about} caller={caller} isLinked={onCaller === undefined} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const VERBS: Readonly<Record<CallersInput["kind"], string>> = {
  tool: "see this tool",
  group: "see tools of this group",
  policy: "match this policy",
};

interface WhyProps {
  about: CallersInput;
  caller: CallerVisibility;
  /** Leads from a change that would show the tool to the preview, which offers it. */
  isLinked: boolean;
  target?: "_blank";
}

/** The deciding rule, and the smallest change that would show the tool to the caller. */
export function Why({ about, caller, isLinked, target }: WhyProps) {
  const href = usePreviewHref(caller, about.kind === "tool" ? about.name : undefined);
  const { why, fix } = caller;
  if (fix === null) return <WithCode text={why} />;
  return (
    <>
      <WithCode text={`${why} To show it: ${fix.changes.map(({ text }) => text).join("; ")}.`} />{" "}
      {isLinked && href !== null && (
        <TextLink href={href} target={target}>
          Open preview
        </TextLink>
      )}
    </>
  );
}

const ANSWERS: Readonly<Record<CallersInput["kind"], Readonly<Record<CallerVisibility["standing"], [string, Tone]>>>> =
  {
    tool: {
      yes: ["visible", "allow"],
      partly: ["with conditions", "accent"],
      other_state: ["in other states", "accent"],
      no: ["hidden", "deny"],
      refused: ["refused", "deny"],
    },
    group: {
      yes: ["all tools", "allow"],
      partly: ["some tools", "accent"],
      other_state: ["in other states", "accent"],
      no: ["no tools", "deny"],
      refused: ["refused", "deny"],
    },
    policy: {
      yes: ["matches", "accent"],
      partly: ["matches", "accent"],
      other_state: ["in other states", "accent"],
      no: ["does not match", "neutral"],
      refused: ["refused", "deny"],
    },
  };

function Answer({ kind, standing }: { kind: CallersInput["kind"]; standing: CallerVisibility["standing"] }) {
  const [word, tone] = ANSWERS[kind][standing];
  return <Badge tone={tone}>{word}</Badge>;
}

interface NameProps {
  about: CallersInput;
  caller: CallerVisibility;
  onCaller: WhoSeesProps["onCaller"];
}

/** Previews as this caller, here or on the page of the preview. */
function Name({ about, caller, onCaller }: NameProps) {
  const href = usePreviewHref(caller, about.kind === "tool" ? about.name : undefined);
  const { kind, name, issuer, callId } = caller;
  if (href === null) return <span title={issuer ?? undefined}>{name}</span>;
  if (onCaller === undefined) return <TextLink href={href}>{name}</TextLink>;
  const choice: CallerChoice = kind === "caller" ? { kind: "execution", id: callId ?? "" } : { kind, name };
  return (
    <Button variant="ghost" size="sm" className="-ml-2 text-accent" onClick={() => onCaller(choice)}>
      {name}
    </Button>
  );
}
