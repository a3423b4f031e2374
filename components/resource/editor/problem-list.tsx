import { WithCode } from "@/components/ui/json/with-code";

interface ProblemListProps {
  title: string;
  tone: "deny" | "warn";
  problems: readonly { path: string; message: string }[];
}

const TONE = { deny: "bg-deny-soft text-deny", warn: "bg-warn-soft text-warn" } as const;

/** Problems or warnings of the configuration, each at its path; nothing where there are none. */
export function ProblemList({ title, tone, problems }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className={`rounded-lg px-3 py-2 text-sm ${TONE[tone]}`}>
      <p className="font-medium">{title}</p>
      <ul tabIndex={0} aria-label={title} className="mt-1 max-h-72 list-disc overflow-y-auto pl-5">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {path !== "" && <code className="mr-1 font-mono text-xs">{path}</code>}
            <WithCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
