import { useState } from "react";
import { useChangeSet } from "@/components/configuration/change-set";
import { useDebounced } from "@/components/resource/use-debounced";
import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import type { ComboboxOption } from "@/components/ui/forms/combobox";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import type { Page } from "@/lib/contracts/changes/list";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";

/** The kinds of rows that fields and filters refer to by name. */
export type Named = ResourceName | "profiles";

interface NamedOption extends ComboboxOption {
  /** False if the row is switched off. */
  readonly enabled: boolean;
  /** The state machine of an agent. */
  readonly machine?: string | null | undefined;
  /** True for an agent whose calls need a session. */
  readonly needsSession?: boolean | undefined;
}

type NamedPage = Page<{
  id?: string;
  name: string;
  description?: string;
  enabled?: boolean;
  machine?: string | null;
  stateHeldByServer?: boolean;
}>;

export interface TypedNames {
  /** The properties of a `Combobox` that picks one. */
  readonly picker: {
    readonly options: readonly NamedOption[];
    readonly onType: (text: string) => void;
    readonly empty: string | undefined;
  };
  /** The options before anybody types. Defaults come from these, because typing must not change a default. */
  readonly first: readonly NamedOption[];
  /** True when `first` has every name, so typing starts no search. */
  readonly isWhole: boolean;
  /** True when the server has more names than `first`. Like `isWhole`, false until the first page is loaded. */
  readonly hasMore: boolean;
  /** True until the first page is loaded or has failed to load. */
  readonly isPending: boolean;
}

/** The names of a resource for a picker: the first 500, and those that the server finds for the typed text. */
export function useTypedNames(resource: Named): TypedNames {
  const [typed, onType] = useState("");
  const searched = useDebounced(typed.trim(), 150);
  const first = useNamePage(resource, "");
  const isWhole = first.data?.nextCursor === null;
  const found = useNamePage(resource, isWhole ? "" : searched);
  const known = toOptions(resource, first.data);
  const values = new Set(known.map(({ value }) => value));
  const more = toOptions(resource, found.data).filter(({ value }) => !values.has(value));
  const isSearching = !isWhole && (searched !== typed.trim() || found.isLoading || found.isPlaceholderData);
  const picker = { options: [...known, ...more], onType, empty: isSearching ? "Loading…" : undefined };
  return { picker, first: known, isWhole, hasMore: first.data !== undefined && !isWhole, isPending: first.isLoading };
}

/** As `useTypedNames`, with the new rows of the change set. Only for forms whose edits the change set can contain. */
export function useNamesWithStaged(resource: Named): TypedNames {
  const names = useTypedNames(resource);
  const staged = useChangeSet().edits.filter((edit) => edit.isNew && edit.resource === resource);
  const waiting = staged.map(({ id }) => ({ value: id, hint: "In your change set", enabled: true }));
  return { ...names, picker: { ...names.picker, options: [...names.picker.options, ...waiting] } };
}

/** The groups that a tool or a policy can name: the built-in `default` too, which the list of groups does not have. */
export function withDefaultGroup<Option extends ComboboxOption>(
  options: readonly Option[],
): readonly (Option | ComboboxOption)[] {
  if (options.some(({ value }) => value === DEFAULT_GROUP)) return options;
  return [...options, { value: DEFAULT_GROUP, hint: "Tools that are assigned to no group, such as built-in ones" }];
}

/** Asks for nothing that the person may not read: the audit trail would record a refusal. */
function useNamePage(resource: Named, q: string) {
  const mayRead = useCan(resource === "profiles" ? "configuration:read" : KINDS[resource].read);
  const search = new URLSearchParams({ limit: "500", ...(q !== "" && { q }) });
  return useGet<NamedPage>([resource, "names", q], `/api/admin/${resource}?${search}`, {
    enabled: mayRead,
    staleTime: 30_000,
    // Keeps the names of the last search while the next one runs.
    placeholderData: (before, query) => (query?.queryKey[0] === resource ? before : undefined),
  });
}

function toOptions(resource: Named, page: NamedPage | undefined): readonly NamedOption[] {
  return (page?.items ?? []).map(({ id, name, description, enabled = true, machine, stateHeldByServer = false }) => ({
    // A tool is named by its id: two sources may have tools of one name.
    value: resource === "tools" ? (id ?? name) : name,
    hint: description === "" ? undefined : description,
    enabled,
    machine,
    needsSession: stateHeldByServer && machine !== null,
  }));
}
