"use client";

import { useQuery } from "@tanstack/react-query";
import { ProblemList } from "@/components/resource/problem-list";
import { useDebounced } from "@/components/resource/use-debounced";
import { planSave } from "@/components/resource/use-row-plan";
import type { Input, Row } from "@/lib/resources";

/** What is suspicious about the machine as it is being edited: what its review would say, while one edits. */
export function MachineLint({ machine, row }: { machine: Input<"machines">; row: Row<"machines"> | null }) {
  const settled = useDebounced(JSON.stringify(machine), 400);
  const plan = useQuery({
    queryKey: ["machines", "lint", row?.name, row?.revision, settled],
    queryFn: () => {
      const input = JSON.parse(settled) as Input<"machines">;
      return planSave("machines", {
        input,
        ...(row !== null && { replaces: { id: row.name, revision: row.revision } }),
      });
    },
    // What does not parse is told at its field, by the review.
    retry: false,
  });
  const own = `machines[${machine.name}]`;
  const warnings = plan.isError ? [] : (plan.data?.warnings ?? []);
  return (
    <ProblemList
      title="Worth a look:"
      tone="warn"
      problems={warnings.map(({ path, message }) => ({
        path: path === own ? "" : path.replace(`${own}.`, ""),
        message,
      }))}
    />
  );
}
