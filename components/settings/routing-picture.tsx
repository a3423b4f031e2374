import { cn } from "@/components/ui/cn";
import type { SettingsInput } from "@/lib/resources/settings";

type Routing = SettingsInput["routing"];

/** The mode of each confidence from 0 to 1: a bar to scale, and the same in words. */
export function RoutingPicture({ routing }: { routing: Routing }) {
  const { high, medium, mode } = routing;
  const always = routing.alwaysGroups.length === 0 ? "" : ` + ${routing.alwaysGroups.join(", ")}`;
  const resolution = routing.resolutionGroups.length === 0 ? "" : ` + ${routing.resolutionGroups.join(", ")}`;
  const withResolution = `the intent’s groups${always}${resolution}`;
  const bands = [
    {
      range: `below ${medium}`,
      width: medium,
      keeps: mode === "strict" ? withResolution : "every tool",
      tone: mode === "strict" ? "bg-accent/45" : "bg-accent/15",
    },
    { range: `${medium} to ${high}`, width: high - medium, keeps: withResolution, tone: "bg-accent/45" },
    { range: `${high} and above`, width: 1 - high, keeps: `the intent’s groups${always}`, tone: "bg-accent" },
  ];
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-full forced-color-adjust-none">
        {bands.map(({ range, width, tone }) => (
          <div key={range} className={tone} style={{ flexGrow: Math.max(0, width), flexBasis: 0 }} />
        ))}
      </div>
      <dl className="grid gap-x-6 gap-y-1 text-xs md:grid-cols-3">
        {bands.map(({ range, keeps, tone }) => (
          <div key={range} className="relative min-w-0 pl-4.5">
            <dt className="font-medium tabular-nums">
              <span aria-hidden className={cn("absolute top-1 left-0 size-2.5 rounded-sm", tone)} />
              Confidence {range}
            </dt>
            <dd className="break-words text-muted">keeps {keeps}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-faint">
        Routing keeps every tool if there is no intent, the intent is unknown, or the session made no progress. Routing
        never adds a tool.
      </p>
    </div>
  );
}
