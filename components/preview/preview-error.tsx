import { CopyButton } from "@/components/ui/copy-button";
import { Problem } from "@/components/resource/request";

/** The errors of the request by field. The last valid answer stays below, dimmed. */
export function PreviewError({ error }: { error: Error }) {
  const problem = error instanceof Problem ? error : null;
  return (
    <div role="alert" className="mb-4 rounded-md bg-deny-soft px-3 py-2 text-sm text-deny">
      <p>{error.message}</p>
      {problem !== null && problem.errors.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {problem.errors.map((field) => (
            <li key={`${field.path} ${field.message}`}>
              {field.path !== "" && <code className="font-mono text-xs">{field.path}</code>} {field.message}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && problem.requestId !== null && (
        <p className="mt-1 flex items-center gap-1 text-xs">
          Request {problem.requestId} <CopyButton text={problem.requestId} label="Copy request id" />
        </p>
      )}
    </div>
  );
}
