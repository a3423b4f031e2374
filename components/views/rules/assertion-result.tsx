import { problemInWords } from "@/components/executions/reason-words";
import { BLANK_DRAFT } from "@/components/preview/draft";
import { previewAddress } from "@/components/preview/use-draft";
import { useGo } from "@/components/resource/go";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { ProblemNote } from "@/components/resource/problem-note";
import { adminPath, request } from "@/components/resource/request";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useAssertionRun } from "@/components/views/rules/use-assertion-run";
import type { Row } from "@/lib/resources";

/** The result of the last run of all assertions, and a button that runs them again. */
export function AssertionRun() {
  const { data, isFetching, refetch } = useAssertionRun();
  return (
    <>
      {data !== undefined && data.results.length > 0 && (
        <span aria-live="polite" className="flex items-center gap-1.5 text-xs whitespace-nowrap text-faint">
          {data.failed > 0 && <Badge tone="deny">{data.failed.toLocaleString("en")} failed</Badge>}
          <Badge tone="allow">{data.passed.toLocaleString("en")} passed</Badge>
          at revision {data.revision}
        </span>
      )}
      <Button pending={isFetching} onClick={() => void refetch()}>
        Run assertions
      </Button>
    </>
  );
}

/** Whether an assertion passes; in a list also why it fails. */
export function AssertionBadge({ name, why = false }: { name: string; why?: boolean }) {
  const result = useAssertionRun().data?.results.find((one) => one.name === name);
  if (result === undefined) return null;
  const { passed, problems } = result;
  return (
    <span className="flex min-w-0 items-center gap-2" title={problems.join("\n").replaceAll("`", "")}>
      <Badge tone={passed ? "allow" : "deny"}>{passed ? "passed" : "failed"}</Badge>
      {why && !passed && (
        <span className="min-w-0 truncate text-muted">{problemInWords(problems[0] ?? "").replaceAll("`", "")}</span>
      )}
    </span>
  );
}

/** The result of an assertion, why it fails, and a link to the preview of its caller. */
export function AssertionResult({ row }: { row: Row<"assertions"> }) {
  const run = useAssertionRun();
  const go = useGo();
  const open = () =>
    void previewOf(row.given).then(go, (error: Error) => toastFailure("Could not open the preview", error));
  if (run.isError) return <ProblemNote error={run.error} onRetry={() => void run.refetch()} />;
  if (run.isPending) return <Skeleton className="h-24" />;
  const problems = run.data.results.find(({ name }) => name === row.name)?.problems ?? [];
  return (
    <div className="flex max-w-3xl flex-col items-start gap-4">
      {problems.length === 0 ? (
        <p className="text-sm text-muted">Passed at revision {run.data.revision}.</p>
      ) : (
        <ProblemList
          title={`Failed at revision ${run.data.revision}:`}
          tone="deny"
          problems={problems.map((problem) => ({ path: "", message: problemInWords(problem) }))}
        />
      )}
      <Button onClick={open}>Preview this caller</Button>
    </div>
  );
}

/** The preview's address for an assertion's caller. Claims stay in this tab, as everywhere. */
async function previewOf({ claims, persona, group, state, ...given }: Row<"assertions">["given"]): Promise<string> {
  const named = persona !== null && Object.keys(claims).length === 0;
  return previewAddress({
    ...BLANK_DRAFT,
    ...given,
    caller: named ? { kind: "persona", name: persona } : { kind: "claims" },
    claimsText: JSON.stringify(claims, null, 2),
    // The preview takes claims or a persona: of the persona, its capabilities are left to state.
    capabilities: given.capabilities ?? (named || persona === null ? null : await capabilitiesOf(persona)),
    group: group === null ? { kind: "all" } : { kind: "chosen", names: group },
    state: state ?? "",
  });
}

async function capabilitiesOf(persona: string): Promise<string[]> {
  const row = await request<Row<"personas">>(adminPath("personas", persona));
  return row.capabilities;
}
