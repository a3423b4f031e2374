import { boundsOf, typeText } from "@/components/docs/schema-text";
import { WithCode } from "@/components/ui/json/with-code";
import type { Parameter } from "@/lib/contracts/operations/open-api";

const PLACES = [
  ["path", "In the path"],
  ["query", "In the query"],
  ["header", "Headers"],
] as const;

/** Parameters by where they travel. */
export function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  return PLACES.map(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return null;
    return (
      <div key={place}>
        <h3 className="pb-1 text-xs font-medium text-muted">{title}</h3>
        <ul className="flex flex-col">
          {here.map(({ name, required, description, schema }) => (
            <li key={name} className="border-b border-line py-1.5 pl-4 last:border-b-0">
              <code className="font-mono text-xs font-medium">{name}</code>
              {required && <span className="ml-1.5 text-xs font-medium text-warn">required</span>}
              <span className="ml-2 font-mono text-xs text-muted">{typeText(schema)}</span>
              <span className="ml-2 text-xs text-muted">
                <WithCode text={[description, boundsOf(schema).join(" · ")].filter(Boolean).join(" ")} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
