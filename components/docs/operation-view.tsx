import type { ReactNode } from "react";
import { AnswerList } from "@/components/docs/answer-list";
import type { DocumentedOperation } from "@/components/docs/chapters";
import { CodeBlock } from "@/components/docs/code-block";
import { toCurl } from "@/components/docs/curl";
import { MethodBadge } from "@/components/docs/method-badge";
import { ParameterList } from "@/components/docs/parameter-list";
import { SchemaTree } from "@/components/docs/schema-tree";
import { WithCode } from "@/components/ui/json/with-code";
import type { OpenApiDocument } from "@/lib/contracts/operations/open-api";

/** One operation: its description, parameters, answers, and a command to try it. */
export function OperationView({ operation, document }: { operation: DocumentedOperation; document: OpenApiDocument }) {
  const { operationId, summary, description, method, path, parameters = [], requestBody } = operation;
  const [body] = Object.entries(requestBody?.content ?? {});
  return (
    <section
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="scroll-mt-4 border-t border-line pt-5"
    >
      <h2 id={`${operationId}-title`} className="text-lg font-semibold">
        <a href={`#${operationId}`} className="hover:underline">
          {summary}
        </a>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <MethodBadge method={method} />
        <code className="min-w-0 font-mono text-xs break-all">{path}</code>
        <span className="font-mono text-xs text-faint">{operationId}</span>
      </p>
      {description?.split("\n\n").map((paragraph) => (
        <p key={paragraph} className="mt-2 max-w-prose text-muted">
          <WithCode text={paragraph} />
        </p>
      ))}
      <div className="mt-3 flex flex-col gap-4">
        <CodeBlock code={toCurl(operation, document)} label={`curl of ${summary}`} />
        {parameters.length > 0 && <ParameterList parameters={parameters} />}
        {body !== undefined && (
          <Part title="Body" note={Object.keys(requestBody?.content ?? {}).join(", ")}>
            <SchemaTree schema={body[1].schema} document={document} />
          </Part>
        )}
        <Part title="Answers">
          <AnswerList answers={operation.responses} document={document} />
        </Part>
      </div>
    </section>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="pb-1 text-xs font-medium text-muted">
        {title} {note !== undefined && <span className="font-mono text-xs font-normal text-faint">{note}</span>}
      </h3>
      {children}
    </div>
  );
}
