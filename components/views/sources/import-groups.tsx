import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { useDebounced } from "@/components/resource/use-debounced";
import { useTypedNames } from "@/components/resource/use-names";
import { counted } from "@/components/ui/counted";
import { Chips } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import type { ImportCallers } from "@/lib/contracts/sources/import-job";

interface ImportGroupsProps {
  groups: readonly string[];
  onChange: (groups: string[]) => void;
  impact: ReturnType<typeof useImportCallers>;
}

/** The callers that would see these new tools with these groups. Waits until the selection has been unchanged for a moment. */
export function useImportCallers(id: string, operations: readonly string[], groups: readonly string[]) {
  const body = JSON.stringify({ operations: operations.toSorted(), groups });
  const rested = useDebounced(body, 200);
  const seen = useQuery({
    queryKey: ["imports", id, "callers", rested],
    queryFn: ({ signal }) =>
      request<ImportCallers>(`/api/admin/imports/${id}/callers`, { method: "POST", body: JSON.parse(rested), signal }),
    enabled: operations.length > 0,
  });
  return { answer: rested === body ? seen.data : undefined, failed: rested === body && seen.isError };
}

type Known = Pick<ReturnType<typeof useTypedNames>, "picker" | "isWhole">;

/** Those of these groups that are not among the listed ones. Of more than 500, some of them may exist. */
export function newGroupsOf(groups: readonly string[], { picker }: Known): readonly string[] {
  const known = new Set([DEFAULT_GROUP, ...picker.options.map(({ value }) => value)]);
  return groups.filter((name) => !known.has(name));
}

/** The hint under the groups. It names the new ones only when every existing one is listed. */
export function groupsHint(groups: readonly string[], known: Known): string {
  const created = newGroupsOf(groups, known);
  if (created.length === 0)
    return "Optional. A new name creates a group. Groups whose selectors match contain the tools without this";
  const named = known.isWhole ? created.join(", ") : "those of these groups that do not exist";
  return `The import creates ${named}. A new group is granted to nobody`;
}

/** The groups of the new tools, also new ones, and the callers that would see them. */
export function ImportGroups({ groups, onChange, impact }: ImportGroupsProps) {
  const known = useTypedNames("groups");
  return (
    <section aria-label="Groups of new tools" className="flex flex-col gap-2">
      <Field label="Add to groups" hint={groupsHint(groups, known)}>
        <Chips
          {...known.picker}
          value={groups}
          onChange={onChange}
          options={[{ value: DEFAULT_GROUP }, ...known.picker.options]}
          creatable
        />
      </Field>
      <Seeing {...impact} />
    </section>
  );
}

function Seeing({ answer, failed }: { answer: ImportCallers | undefined; failed: boolean }) {
  if (failed)
    return <p className="text-xs text-warn">The callers that would see the new tools could not be counted.</p>;
  if (answer === undefined) return <p className="text-xs text-muted">Checking who would see the new tools…</p>;
  const { callers, asked, more } = answer;
  const of = `the ${more ? "first " : ""}${counted(asked, "known caller")} (agents, personas and recent callers)`;
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
