import { ChevronRight } from "lucide-react";
import { resolved } from "@/components/docs/example";
import { boundsOf, innerSchemas, refsOf, typeText } from "@/components/docs/schema-text";
import { WithCode } from "@/components/ui/json/with-code";
import type { OpenApiDocument, Schema } from "@/lib/contracts/openapi/open-api";

interface SchemaTreeProps {
  schema: Schema;
  document: OpenApiDocument;
  /** Names above this one: a schema inside itself is named, not opened again. */
  above?: readonly string[];
}

/** Below this many levels a schema is named only: the page stays light. */
const MAX_DEPTH = 3;

/** The members of a schema, one per line. A member with its own members expands. */
export function SchemaTree({ schema, document, above = [] }: SchemaTreeProps) {
  const own = resolved(schema, document);
  const shapes = innerSchemas(own);
  if (shapes.length === 0)
    return (
      <p className="text-sm text-muted">
        <code className="font-mono text-xs text-ink">{typeText(own)}</code> {own.description}
      </p>
    );
  return shapes.map((shape, index) => (
    <div key={index} className={index === 0 ? undefined : "mt-2 border-t border-line pt-2"}>
      {index > 0 && <p className="pb-1 text-xs text-muted">or</p>}
      <ul className="flex flex-col">
        {Object.entries(shape.properties ?? {}).map(([name, member]) => (
          <Member
            key={name}
            name={name}
            schema={member}
            required={shape.required?.includes(name) === true}
            document={document}
            above={schema.$ref === undefined ? above : [...above, ...refsOf(schema)]}
          />
        ))}
      </ul>
    </div>
  ));
}

interface MemberProps extends Required<SchemaTreeProps> {
  name: string;
  required: boolean;
}

function Member({ name, schema, required, document, above }: MemberProps) {
  const [ref] = refsOf(schema);
  const opened = ref === undefined ? schema : { $ref: `#/components/schemas/${ref}` };
  const hasMembers = innerSchemas(resolved(opened, document)).length > 0;
  const line = (
    <span className="min-w-0">
      <code className="font-mono text-xs font-medium text-ink">{name}</code>
      {required && <span className="ml-1.5 text-xs font-medium text-warn">required</span>}
      <span className="ml-2 font-mono text-xs text-muted">{typeText(schema)}</span>
      <WithCode
        as="span"
        className="ml-2 text-xs text-muted"
        text={[schema.description, boundsOf(schema).join(" · ")].filter(Boolean).join(" ")}
      />
    </span>
  );
  if (!hasMembers || above.length + 1 > MAX_DEPTH || (ref !== undefined && above.includes(ref)))
    return <li className="border-b border-line py-1.5 pl-4 last:border-b-0">{line}</li>;
  return (
    <li className="border-b border-line last:border-b-0">
      <details className="group/member">
        <summary className="flex cursor-pointer list-none gap-1 py-1.5 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-3 shrink-0 text-faint transition-transform group-open/member:rotate-90"
          />
          {line}
        </summary>
        <div className="mb-2 ml-1.5 border-l border-line pl-3">
          <SchemaTree schema={opened} document={document} above={ref === undefined ? [...above, name] : above} />
        </div>
      </details>
    </li>
  );
}
