"use client";

import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/components/resource/use-debounced";
import { validate } from "@/components/resource/editor/validate";
import type { Input } from "@/lib/resources";

/**
 * The machine once it has been still for a moment, and what is wrong with it: half a machine is not sent to a
 * server that would only refuse it. `problems` is `undefined` until it was looked at.
 */
export function useSettledMachine(machine: Input<"machines">) {
  const text = useDebounced(JSON.stringify(machine), 300);
  const settled = JSON.parse(text) as Input<"machines">;
  const { data: problems } = useQuery({
    queryKey: ["machines", "problems", text],
    queryFn: () => validate("machines", settled),
  });
  return { settled, text, problems };
}
