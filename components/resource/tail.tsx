import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState, type RefObject, type UIEvent } from "react";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { Page } from "@/lib/contracts/changes/list";
import type { ViewedList } from "@/lib/resources/saved-view";

/** Milliseconds between two polls of a followed list. */
export const TAIL_POLL_MS = 2_000;

/** How a list follows its new rows. Off by default; pauses while the person reads older rows. */
interface Tail {
  /** Whether this list can be followed with its filters. */
  readonly offered: boolean;
  readonly on: boolean;
  /** Whether the tail is on, the list is scrolled to the top, and no peek panel is open. */
  readonly following: boolean;
  readonly toggle: () => void;
  /** Scrolls to the newest row. */
  readonly resume: () => void;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** The tail of a list. `frame` contains the scrolling element; `peeking` = a peek panel is open. */
export function useTail(frame: RefObject<HTMLElement | null>, offered: boolean, peeking: boolean): Tail {
  const [wanted, setWanted] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  const on = wanted && offered;
  const resume = () => {
    frame.current?.querySelector("[role=region]")?.scrollTo({ top: 0 });
    setScrolled(false);
  };
  return {
    offered,
    on,
    following: on && !scrolled && !peeking,
    toggle: () => setWanted(!wanted),
    resume,
    onScroll: ({ target }) => setScrolled((target as HTMLElement).scrollTop > 0),
  };
}

/** Turns the tail on and off. The icon shows what a press does, also while the tail waits for a person who reads. */
export function TailSwitch({ tail: { on, toggle } }: { tail: Tail }) {
  return (
    <Button
      variant="ghost"
      className={cn("px-2", on && "bg-accent-soft text-accent hover:not-disabled:text-accent")}
      aria-pressed={on}
      onClick={toggle}
    >
      {on ? <Pause aria-hidden /> : <Play aria-hidden />} Live
    </Button>
  );
}

interface TailNoteProps {
  list: ViewedList;
  apiQuery: Readonly<Record<string, string>>;
  /** The times of the shown rows, newest first. */
  times: readonly string[];
  onResume: () => void;
}

/** Says that the tail is paused, and how many new rows there are. */
export function TailNote({ list, apiQuery, times, onResume }: TailNoteProps) {
  const [newest] = times;
  const known = times.filter((at) => at === newest).length;
  const { data: total = known } = useQuery({
    queryKey: [list, "since", newest, apiQuery],
    queryFn: ({ signal }) => {
      const search = new URLSearchParams({ ...apiQuery, ...(newest !== undefined && { from: newest }), limit: "1" });
      return request<Page<unknown>>(`/api/admin/${list}?${search}`, { signal });
    },
    select: (page) => page.total,
    refetchInterval: TAIL_POLL_MS,
    staleTime: 0,
  });
  return (
    <div
      role="status"
      className="absolute inset-x-0 top-9 z-20 mx-auto flex w-fit items-center gap-3 rounded-full bg-accent-fill py-1 pr-1 pl-4 text-sm font-medium text-on-accent shadow-pop tabular-nums"
    >
      Paused, {(total - known).toLocaleString("en")} new
      <Button size="sm" className="rounded-full" onClick={onResume}>
        Resume
      </Button>
    </div>
  );
}
