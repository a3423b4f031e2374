import { useGet } from "@/components/resource/use-get";
import type { GroupSizes } from "@/lib/contracts/decisions/group-sizes";

/** The counted tools of a stored group; all rows of a list share one request. `undefined` while it loads. */
export function useGroupSize(name: string): GroupSizes["items"][number] | undefined {
  const { data } = useGet(["groups", "sizes"], "/api/admin/group-sizes", { select: byName, staleTime: 0 });
  return data?.get(name);
}

/** The number of tools in a stored group. */
export function GroupSize({ name }: { name: string }) {
  return <span className="text-muted tabular-nums">{useGroupSize(name)?.tools.toLocaleString("en")}</span>;
}

function byName({ items }: GroupSizes): ReadonlyMap<string, GroupSizes["items"][number]> {
  return new Map(items.map((item) => [item.name, item]));
}
