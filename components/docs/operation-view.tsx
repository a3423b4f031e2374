import type { ReactNode } from "react";
import { AnswerList } from "@/components/docs/answer-list";
import type { DocumentedOperation } from "@/components/docs/chapters";
import { CodeBlock } from "@/components/docs/code-block";
import { MethodBadge } from "@/components/docs/method-badge";
import { SchemaTree } from "@/components/docs/schema-tree";
import { WithCode } from "@/components/ui/json/with-code";
import type { OpenApiDocument, Parameter } from "@/lib/contracts/openapi/open-api";
import { exampleOf } from "@/components/docs/example";
import { boundsOf, typeText } from "@/components/docs/schema-text";

/** One operation: its description, parameters, answers, and a command to try it. */
export function OperationView({ operation, document }: { operation: DocumentedOperation; document: OpenApiDocument }) {
  const { operationId, summary, description, method, path, parameters = [], requestBody } = operation;
  const [media] = Object.values(requestBody?.content ?? {});
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
        <WithCode as="p" key={paragraph} className="mt-2 max-w-prose text-muted" text={paragraph} />
      ))}
      <div className="mt-3 flex flex-col gap-4">
        <CodeBlock code={toCurl(operation, document)} label={`curl of ${summary}`} />
        {parameters.length > 0 && <ParameterList parameters={parameters} />}
        {media !== undefined && (
          <Part title="Body" note={Object.keys(requestBody?.content ?? {}).join(", ")}>
            <SchemaTree schema={media.schema} document={document} />
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

/** A request as a curl line for a POSIX shell; address and credential come from environment variables. */
function toCurl(operation: DocumentedOperation, document: OpenApiDocument): string {
  const { method, path, parameters = [], requestBody, security } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const search = query.map(({ name }) => `${name}=…`).join("&");
  const key = security.some((scheme) => "agent" in scheme) ? "QUARTERMASTER_KEY" : "QUARTERMASTER_TOKEN";
  const headers = parameters.filter((parameter) => parameter.in === "header" && parameter.required);
  const body = requestBody?.content["application/json"]?.schema;
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} "$QUARTERMASTER_URL${address}${search === "" ? "" : `?${search}`}"`,
    ...(security.length === 0 ? [] : [`-H "Authorization: Bearer $${key}"`]),
    ...headers.map(({ name }) => `-H '${name}: "…"'`),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(exampleOf(body, document)).replaceAll("'", `'\\''`)}'`,
        ]),
  ].join(" \\\n  ");
}

const LOCATIONS = [
  ["path", "In the path"],
  ["query", "In the query"],
  ["header", "Headers"],
] as const;

/** Parameters, grouped by location. */
function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  return LOCATIONS.map(([location, title]) => {
    const located = parameters.filter((parameter) => parameter.in === location);
    if (located.length === 0) return null;
    return (
      <div key={location}>
        <h3 className="pb-1 text-xs font-medium text-muted">{title}</h3>
        <ul className="flex flex-col">
          {located.map(({ name, required, description, schema }) => (
            <li key={name} className="border-b border-line py-1.5 pl-4 last:border-b-0">
              <code className="font-mono text-xs font-medium">{name}</code>
              {required && <span className="ml-1.5 text-xs font-medium text-warn">required</span>}
              <span className="ml-2 font-mono text-xs text-muted">{typeText(schema)}</span>
              <WithCode
                as="span"
                className="ml-2 text-xs text-muted"
                text={[description, boundsOf(schema).join(" · ")].filter(Boolean).join(" ")}
              />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
