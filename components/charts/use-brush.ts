import { useState, type KeyboardEvent, type PointerEvent } from "react";

/** A selection of buckets, from its first to its present one. */
interface Selection {
  readonly anchor: number;
  readonly head: number;
}

/** A brush over buckets: its selection, and the pointer and key handlers for the element in front of them. */
interface Brush {
  /** First and last bucket that are covered; `null` = none. */
  readonly covered: readonly [number, number] | null;
  /** The bucket under the pointer, or the one that the keys selected. */
  readonly at: number | null;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerLeave: () => void;
    readonly onPointerCancel: () => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onBlur: () => void;
  };
}

/**
 * Selects a stretch of `count` buckets: by dragging, or with the arrow keys (Shift extends), Home and End, and Enter.
 * Escape, losing the focus and a cancelled pointer (a touch that the browser takes over) cancel.
 */
export function useBrush(count: number, onSelect: (first: number, last: number) => void): Brush {
  const [selection, setSelection] = useState<Selection | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [dragging, setDragging] = useState(false);
  const covered = selection === null ? null : sorted(selection);
  const cancel = () => {
    setSelection(null);
    setDragging(false);
  };
  const finish = ({ anchor, head }: Selection) => {
    cancel();
    onSelect(...sorted({ anchor, head }));
  };
  return {
    covered,
    at: selection?.head ?? hovered,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const index = bucketAt(event, count);
        setSelection({ anchor: index, head: index });
        setDragging(true);
      },
      onPointerMove: (event) => {
        const index = bucketAt(event, count);
        setHovered(index);
        if (dragging && selection !== null) setSelection({ ...selection, head: index });
      },
      onPointerUp: (event) => {
        if (dragging && selection !== null) finish({ ...selection, head: bucketAt(event, count) });
      },
      onPointerLeave: () => setHovered(null),
      onPointerCancel: cancel,
      onKeyDown: (event) => {
        const moved = movedTo(event.key, selection?.head ?? null, count);
        if (moved !== null)
          setSelection({ anchor: event.shiftKey && selection !== null ? selection.anchor : moved, head: moved });
        else if (event.key === "Enter" && selection !== null) finish(selection);
        else if (event.key === "Escape" && selection !== null) cancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
      onBlur: cancel,
    },
  };
}

function sorted({ anchor, head }: Selection): [number, number] {
  return [Math.min(anchor, head), Math.max(anchor, head)];
}

/** The bucket to which a key moves. The first press selects the newest. */
function movedTo(key: string, from: number | null, count: number): number | null {
  const last = count - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  if (from === null) return last;
  return Math.min(last, Math.max(0, from + (key === "ArrowLeft" ? -1 : 1)));
}

function bucketAt({ clientX, currentTarget }: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
}
