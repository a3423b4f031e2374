import { counted } from "@/components/ui/counted";
import { WithCode } from "@/components/ui/json/with-code";
import type { ImportJob } from "@/lib/contracts/sources/import-job";

/** The notes about an imported document. @param hasAuth with it, the notes that ask for authentication are done */
export function DocumentWarnings({ warnings: all, hasAuth }: Pick<ImportJob, "warnings"> & { hasAuth: boolean }) {
  const warnings = all.filter(({ asksForAuth }) => !hasAuth || asksForAuth !== true);
  if (warnings.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-warn">{counted(warnings.length, "note")} about this document</summary>
      <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 text-xs text-muted">
        {warnings.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code className="font-mono">{path}</code> <WithCode text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}
