"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNames } from "@/components/resource/use-names";
import { request } from "@/components/resource/request";
import { Chips } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import type { ImportCallers } from "@/lib/contracts/sources/import-job";

interface ImportGroupsProps {
  id: string;
  groups: readonly string[];
  onChange: (groups: string[]) => void;
}

/** The groups of the new tools, and the callers that would see them. */
export function ImportGroups({ id, groups, onChange }: ImportGroupsProps) {
  const known = useNames("groups");
  const query = groups.map((name) => `group=${encodeURIComponent(name)}`).join("&");
  const seen = useQuery({
    queryKey: ["imports", id, "callers", query],
    queryFn: ({ signal }) => request<ImportCallers>(`/api/admin/imports/${id}/callers?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="Groups of new tools" className="flex flex-col gap-2">
      <Field label="Add to groups" hint="New tools join these groups. Without a group, an import grants nothing.">
        <Chips value={groups} onChange={onChange} options={[{ value: "default" }, ...known]} />
      </Field>
      <Seeing answer={seen.data} failed={seen.isError} />
    </section>
  );
}

function Seeing({ answer, failed }: { answer: ImportCallers | undefined; failed: boolean }) {
  if (failed) return <p className="text-xs text-warn">Who would see the new tools could not be determined.</p>;
  if (answer === undefined) return <p className="text-xs text-muted">Determining who would see the new tools…</p>;
  const { callers, asked, more } = answer;
  const of = `${more ? "the first " : ""}${asked.toLocaleString("en")} known personas, agents and callers`;
  if (callers.length === 0)
    return (
      <p role="status" className="text-xs text-muted">
        None of {of} would see the new tools.
      </p>
    );
  return (
    <details className="text-xs">
      <summary className="w-fit rounded text-warn">
        {callers.length.toLocaleString("en")} of {of} would see new tools
      </summary>
      <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 text-muted">
        {callers.map(({ kind, name, issuer, gained }) => (
          <li key={`${kind} ${issuer ?? ""} ${name}`}>
            {kind} <code className="font-mono text-ink">{name}</code>: {gained.tools.join(", ")}
            {gained.count > gained.tools.length &&
              ` and ${(gained.count - gained.tools.length).toLocaleString("en")} more`}
          </li>
        ))}
      </ul>
    </details>
  );
}
