import { useGet } from "@/components/resource/use-get";
import type { ComboboxOption } from "@/components/ui/forms/combobox";
import type { Page } from "@/lib/contracts/changes/list";
import type { ResourceName } from "@/lib/resources/kinds";

/** The kinds of rows that fields and filters refer to by name. */
export type Named = ResourceName | "profiles";

interface NamedOption extends ComboboxOption {
  /** False if the row is switched off. */
  readonly enabled: boolean;
}

/** The names of a resource as options: for fields that refer to another resource. */
export function useNames(resource: Named): readonly NamedOption[] {
  const { data } = useGet<Page<{ id?: string; name: string; description?: string; enabled?: boolean }>>(
    [resource, "names"],
    `/api/admin/${resource}?limit=500`,
    {
      staleTime: 30_000,
    },
  );
  return (data?.items ?? []).map(({ id, name, description, enabled = true }) => ({
    // A tool is named by its id: two sources may have tools of one name.
    value: resource === "tools" ? (id ?? name) : name,
    hint: description === "" ? undefined : description,
    enabled,
  }));
}
