import { useGet } from "@/components/resource/use-get";
import type { GroupSizes } from "@/lib/contracts/decisions/group-sizes";

/** The number of tools in a stored group; all rows of a list share one request. */
export function GroupSize({ name }: { name: string }) {
  const { data } = useGet(["groups", "sizes"], "/api/admin/group-sizes", { select: byName, staleTime: 0 });
  return <span className="text-muted tabular-nums">{data?.get(name)?.toLocaleString("en")}</span>;
}

function byName({ items }: GroupSizes): ReadonlyMap<string, number> {
  return new Map(items.map(({ name, tools }) => [name, tools]));
}
