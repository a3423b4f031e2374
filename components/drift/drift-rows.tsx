"use client";

import { useRef } from "react";
import { KIND_WORDS, SEVERITY_TONES } from "@/components/drift/drift-words";
import type { useDriftList } from "@/components/drift/use-drift-review";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { totalText } from "@/components/resource/total-text";
import { useWho } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { can } from "@/lib/resources/permissions";

interface DriftRowsProps {
  list: ReturnType<typeof useDriftList>;
  /** The tool that is looked at. */
  shown: string | null;
  onShow: (id: string) => void;
  picked: ReadonlySet<string>;
  onPick: (picked: ReadonlySet<string>) => void;
}

/** The tools that wait, newest first; one of them is looked at, some may be picked to be approved together. */
export function DriftRows({ list, shown, onShow, picked, onPick }: DriftRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { role } = useWho();
  useRowKeys(frame, { peeked: shown, onPeek: onShow });
  const canWrite = can(role, "configuration:write");
  const pick = (id: string, on: boolean) => {
    const next = new Set(picked);
    if (on) next.add(id);
    else next.delete(id);
    onPick(next);
  };
  return (
    <div
      ref={frame}
      className={cn("w-72 shrink-0 overflow-auto border-r border-line pb-8", list.isPlaceholderData && "opacity-55")}
    >
      <ul aria-label="Waits for review" aria-busy={list.isPlaceholderData || undefined}>
        {list.rows.map(({ id, kind, severity, notes }) => (
          <li
            key={id}
            data-row={id}
            className={cn("flex items-start gap-2 border-b border-line pr-3", id === shown && "bg-hover")}
          >
            <button
              type="button"
              aria-current={id === shown ? "true" : undefined}
              onClick={() => onShow(id)}
              className="flex min-w-0 flex-1 flex-col gap-1 px-5 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="font-mono text-xs break-all">{id}</span>
              <span className="flex gap-1.5">
                <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
                <Badge tone="outline">{KIND_WORDS[kind]}</Badge>
              </span>
              <span className="line-clamp-2 text-xs text-muted">{notes[0]?.text.replaceAll("`", "")}</span>
            </button>
            {canWrite && (
              <span className="pt-3">
                <Checkbox aria-label={`Pick ${id}`} checked={picked.has(id)} onChange={(on) => pick(id, on)} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="flex flex-col items-center gap-1 py-2 text-xs text-faint tabular-nums">
          {list.rows.length.toLocaleString("en")} of {list.first && totalText(list.first)}
          <Button size="sm" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  );
}
