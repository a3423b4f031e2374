import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/components/resource/use-debounced";
import { validate } from "@/components/resource/editor/validate";
import type { Input } from "@/lib/resources";

/**
 * The machine after a pause in editing, and its problems, so that incomplete machines are not sent to the server.
 * `problems` is `undefined` before the first check.
 */
export function useSettledMachine(machine: Input<"machines">, pauseMs = 300) {
  const text = useDebounced(JSON.stringify(machine), pauseMs);
  const settled = JSON.parse(text) as Input<"machines">;
  const { data: problems } = useQuery({
    queryKey: ["machines", "problems", text],
    queryFn: () => validate("machines", settled),
  });
  return { settled, text, problems };
}
