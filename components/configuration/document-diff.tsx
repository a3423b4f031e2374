import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { lineKind, patchOf } from "@/components/configuration/document-patch";
import { ProblemNote } from "@/components/resource/problem-note";
import { request, requestYaml } from "@/components/resource/request";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Skeleton } from "@/components/ui/skeleton";

/** Lines that are shown; copying takes all of them. */
const MAX_SHOWN = 2000;

const TONES = { added: "bg-allow-soft", removed: "bg-deny-soft", position: "bg-hover text-muted", same: "" } as const;

interface DocumentDiffProps {
  /** The text that was given. */
  document: string;
  /** The plan's revision. The stored document is not fetched again while it has this revision. */
  revision: number;
  merges: boolean;
}

/**
 * The configuration in force and a document as texts, line by line. The plan describes the same differences in
 * sentences.
 */
export function DocumentDiff({ document, revision, merges }: DocumentDiffProps) {
  const isJson = /^\s*\{/.test(document);
  const inForce = useQuery({
    queryKey: ["config", isJson ? "json" : "yaml", revision],
    queryFn: async ({ signal }) =>
      isJson
        ? `${JSON.stringify(await request<unknown>("/api/admin/config", { signal }), null, 2)}\n`
        : requestYaml("/api/admin/config", { signal }),
  });
  const patch = useMemo(
    () => (inForce.data === undefined ? undefined : patchOf(inForce.data, document)),
    [inForce.data, document],
  );
  if (inForce.isError) return <ProblemNote error={inForce.error} onRetry={() => void inForce.refetch()} />;
  if (patch === undefined) return <Skeleton className="h-48" />;
  if (patch === null)
    return (
      <p className="text-sm text-muted">
        Too many lines differ to show here. Export the configuration and compare the files.
      </p>
    );
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-xs text-pretty text-muted">
          {patch.length === 0
            ? "The document equals the current configuration."
            : `Text of the current configuration (−) and of the document (+).${
                merges ? " Rows that only the current configuration has do not change." : ""
              }`}
        </p>
        {patch.length > 0 && <CopyButton text={patch.join("\n")} label="Copy diff" showLabel />}
      </div>
      {patch.length > 0 && <Lines lines={patch} />}
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      <pre
        tabIndex={0}
        role="region"
        aria-label="Raw diff"
        className="max-h-[60dvh] overflow-auto rounded-md border border-line py-1 font-mono text-xs leading-5"
      >
        {lines.slice(0, MAX_SHOWN).map((line, at) => (
          <span key={at} className={cn("block min-w-fit px-3 whitespace-pre", TONES[lineKind(line)])}>
            {line === "" ? " " : line}
          </span>
        ))}
      </pre>
      {lines.length > MAX_SHOWN && (
        <p className="text-xs text-muted">
          {(lines.length - MAX_SHOWN).toLocaleString("en")} more lines are not shown. Copy the diff to see all.
        </p>
      )}
    </>
  );
}
