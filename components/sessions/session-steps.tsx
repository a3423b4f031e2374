import { Json } from "@/components/ui/json/json";
import type { SessionDetail } from "@/lib/contracts/log/session";

/** The steps that an agent sent when it opened its session, first to last. */
export function SessionSteps({ steps }: { steps: NonNullable<SessionDetail["history"]> }) {
  if (steps.length === 0) return <p className="text-sm text-muted">None stated</p>;
  return (
    <ol className="flex flex-col gap-3">
      {steps.map((step, index) => (
        <li key={index} className="flex flex-col gap-1.5 rounded-lg border border-line px-3 py-2 text-sm">
          <p className="flex flex-wrap items-baseline gap-2">
            <span className="text-faint tabular-nums">{index + 1}</span>
            <span className="font-mono text-xs font-medium">{step.action}</span>
            {step.state !== undefined && <span className="text-muted">in {step.state}</span>}
          </p>
          {step.thought !== undefined && <p className="break-words whitespace-pre-wrap text-muted">{step.thought}</p>}
          {step.arguments !== undefined && <Json value={step.arguments} label={`arguments of step ${index + 1}`} />}
          {step.observation !== undefined && (
            <Json value={step.observation} label={`observation of step ${index + 1}`} />
          )}
        </li>
      ))}
    </ol>
  );
}
