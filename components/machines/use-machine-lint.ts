import { useQuery } from "@tanstack/react-query";
import { useSettledMachine } from "@/components/machines/use-settled-machine";
import { useValidationPaused } from "@/components/resource/validation-paused";
import { planSave } from "@/components/resource/editor/use-row-plan";
import { useCan } from "@/components/resource/who";
import type { Input, Row } from "@/lib/resources";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/**
 * Milliseconds without an edit before a check: a machine that a person draws has dead ends until its next transition.
 */
const REST_MS = 1_500;

/**
 * The warnings about the machine during editing, as its review would show them. Paths begin in the machine: `states[1]`.
 * Leaves out failing assertions: the review shows them.
 */
export function useMachineLint(machine: Input<"machines">, row: Row<"machines"> | null): readonly Warning[] {
  const { settled, text, problems } = useSettledMachine(machine, REST_MS);
  const isPaused = useValidationPaused();
  // Planning a save needs the permission to save. An auditor gets the stored machine's findings.
  const mayWrite = useCan("configuration:write");
  const plan = useQuery({
    queryKey: ["machines", "lint", row?.name, row?.revision, isPaused ? null : text],
    queryFn: ({ signal }) => {
      const replaces = row === null ? {} : { replaces: { id: row.name, revision: row.revision } };
      return planSave("machines", { input: settled, ...replaces }, signal);
    },
    // The review shows parse errors at their fields.
    enabled: mayWrite && problems?.length === 0 && !isPaused,
    retry: false,
    // An unchanged text is not planned again: after the save of a new machine, its name would be taken.
    staleTime: "static",
    gcTime: 0,
  });
  // The answer is about an older version, whose dead end the latest edit may have removed.
  if (JSON.stringify(machine) !== text) return [];
  const own = `machines[${settled.name}]`;
  return (plan.data?.warnings ?? [])
    .filter(({ path }) => path.startsWith(own))
    .map(({ path, message }) => ({ path: path === own ? "" : path.replace(`${own}.`, ""), message }));
}
