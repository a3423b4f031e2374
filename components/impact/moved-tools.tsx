import { useState } from "react";
import { cn } from "@/components/ui/cn";
import type { ImpactCaller } from "@/lib/contracts/decisions/impact";

/** Names shown at first. */
const MAX_SHOWN = 5;

/** The tools that a caller gains (+) or loses (−), by name; collapsed where there are many. */
export function MovedTools({ moved, sign, who }: { moved: ImpactCaller["gained"]; sign: "+" | "−"; who: string }) {
  const [all, setAll] = useState(false);
  if (moved.count === 0) return null;
  const shown = all ? moved.tools : moved.tools.slice(0, MAX_SHOWN);
  const hidden = moved.count - shown.length;
  const verb = sign === "+" ? "gains" : "loses";
  return (
    <ul
      aria-label={`Tools that ${who} ${verb}`}
      className="flex flex-col gap-x-4 gap-y-0.5 text-xs @lg:flex-row @lg:flex-wrap"
    >
      {shown.map(({ toolId, name }) => (
        <li key={toolId} title={toolId} className="flex min-w-0 gap-1.5">
          <Sign sign={sign} />
          <span className="truncate font-mono">{name}</span>
        </li>
      ))}
      {hidden > 0 && (
        <li className="flex gap-1.5">
          <Sign sign={sign} />
          {all ? (
            <span className="text-muted">and {hidden.toLocaleString("en")} more</span>
          ) : (
            <button
              type="button"
              onClick={() => setAll(true)}
              aria-label={`Show all tools that ${who} ${verb}`}
              className="rounded text-muted underline decoration-dotted underline-offset-2 hover:text-ink"
            >
              {hidden.toLocaleString("en")} more
            </button>
          )}
        </li>
      )}
    </ul>
  );
}

function Sign({ sign }: { sign: "+" | "−" }) {
  return (
    <span
      aria-hidden
      className={cn("w-2 shrink-0 text-center font-mono font-semibold", sign === "+" ? "text-allow" : "text-deny")}
    >
      {sign}
    </span>
  );
}
