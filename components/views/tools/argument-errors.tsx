import { WithCode } from "@/components/ui/json/with-code";

/** The errors of one value: the first one, and the others folded. A choice has an error for each branch. */
export function ArgumentErrors({ errors }: { errors: readonly string[] }) {
  const [first, ...others] = errors;
  if (first === undefined) return null;
  return (
    <div className="flex flex-col gap-1 text-xs break-words text-deny">
      <WithCode as="p" className="line-clamp-2" text={first} />
      {others.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
            {others.length} more {others.length === 1 ? "problem" : "problems"}
          </summary>
          <ul className="mt-1 flex flex-col gap-1 border-l border-line pl-2">
            {others.map((error) => (
              <WithCode as="li" key={error} text={error} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
