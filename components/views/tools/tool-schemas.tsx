import { bind } from "@/components/resource/editor/bind";
import { JsonField } from "@/components/resource/fields/json-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps } from "@/components/resource/view";
import { CopyButton } from "@/components/ui/copy-button";
import { Json } from "@/components/ui/json/json";
import { Fact, Facts } from "@/components/ui/text/facts";

/** The input and output schemas that a model sees, and what else of the definition comes from the source. */
export function ToolSchemas({ draft, row }: FieldsProps<"tools">) {
  return (
    <>
      <Section title="Schemas" description="JSON Schema of the arguments and of the result.">
        <JsonField {...bind(draft, "inputSchema")} label="Input schema" rows={10} />
        <JsonField {...bind(draft, "outputSchema")} label="Output schema" nullable rows={4} />
        {row !== null && (
          <Facts>
            <Fact label="Definition hash">
              <span className="inline-flex items-center gap-1">
                <code className="font-mono text-xs">{row.definitionHash.slice(0, 16)}…</code>
                <CopyButton text={row.definitionHash} label="Copy definition hash" />
              </span>
            </Fact>
          </Facts>
        )}
      </Section>
      {row !== null && row.mcp !== null && (
        <Section title="MCP metadata" description="Icons and _meta from the MCP server, sent to MCP clients.">
          <Json value={row.mcp} label="icons and _meta" />
        </Section>
      )}
    </>
  );
}
