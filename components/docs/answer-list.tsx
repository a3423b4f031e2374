import { ChevronRight } from "lucide-react";
import { SchemaTree } from "@/components/docs/schema-tree";
import { typeText } from "@/components/docs/schema-text";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";
import type { Answer, OpenApiDocument } from "@/lib/contracts/openapi/open-api";

interface AnswerListProps {
  answers: Readonly<Record<string, Answer>>;
  document: OpenApiDocument;
}

/** The answers by status. Schemas expand; refusals list their codes. */
export function AnswerList({ answers, document }: AnswerListProps) {
  return (
    <ul className="flex flex-col">
      {Object.entries(answers).map(([status, answer]) => {
        const schema = answer.content?.["application/json"]?.schema;
        const hasShape = Number(status) < 300 && schema?.$ref !== undefined;
        const line = (
          <span className="flex min-w-0 items-baseline gap-2">
            <Badge tone={toneOf(Number(status))} mono>
              {status}
            </Badge>
            <span className="min-w-0 text-sm text-muted">
              <WithCode text={answer.description} />
              {schema?.$ref !== undefined && <span className="ml-2 font-mono text-xs">{typeText(schema)}</span>}
            </span>
          </span>
        );
        return (
          <li key={status} className="border-b border-line last:border-b-0">
            {hasShape ? (
              <details className="group/answer">
                <summary className="flex cursor-pointer list-none items-baseline gap-1 py-1.5 [&::-webkit-details-marker]:hidden">
                  <ChevronRight
                    aria-hidden
                    className="size-3 shrink-0 self-center text-faint transition-transform group-open/answer:rotate-90"
                  />
                  {line}
                </summary>
                <div className="mb-2 ml-1.5 border-l border-line pl-3">
                  <SchemaTree schema={schema} document={document} />
                </div>
              </details>
            ) : (
              <div className="py-1.5 pl-4">{line}</div>
            )}
          </li>
        );
      })}
      <li className="py-1.5 pl-4 text-xs text-faint">
        Refusals are <code className="font-mono">application/problem+json</code> unless a shape is named: see{" "}
        <TextLink href="/docs#errors">errors</TextLink>.
      </li>
    </ul>
  );
}

function toneOf(status: number): "allow" | "warn" | "deny" | "neutral" {
  if (status < 300) return "allow";
  return status < 400 ? "neutral" : status < 500 ? "warn" : "deny";
}
