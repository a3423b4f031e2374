import { STATE_COLOURS } from "@/components/machines/state-colours";
import type { Input } from "@/lib/resources";

/** A state's name behind its colour. */
export function StateName({ name, machine }: { name: string; machine: Input<"machines"> }) {
  const colour = machine.states.find((state) => state.name === name)?.colour ?? null;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Swatch colour={colour} />
      <span className="truncate font-mono text-xs">{name}</span>
    </span>
  );
}

/** A state's colour; no colour is an empty ring. The name next to it says the same. */
export function Swatch({ colour }: { colour: string | null }) {
  return (
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-full border border-edge"
      style={{ backgroundColor: colour === null ? undefined : STATE_COLOURS[colour] }}
    />
  );
}
