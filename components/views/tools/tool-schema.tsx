import { Json } from "@/components/ui/json/json";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact, Facts } from "@/components/ui/table";
import type { Row } from "@/lib/resources";

/** The input and output schemas that a model sees. */
export function ToolSchema({ row }: { row: Row<"tools"> }) {
  return (
    <div className="flex flex-col gap-6">
      <Facts>
        <Fact label="Definition">
          <span className="inline-flex items-center gap-1">
            <code className="font-mono text-xs">{row.definitionHash.slice(0, 16)}…</code>
            <CopyButton text={row.definitionHash} label="Copy definition hash" />
          </span>
        </Fact>
        <Fact label="Version">{row.version ?? "not set"}</Fact>
      </Facts>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <section>
          <h2 className="mb-2 text-sm font-semibold">Input</h2>
          <Json value={row.inputSchema} label="input schema" />
        </section>
        <section>
          <h2 className="mb-2 text-sm font-semibold">Output</h2>
          {row.outputSchema === null ? (
            <p className="text-sm text-muted">No output schema</p>
          ) : (
            <Json value={row.outputSchema} label="output schema" />
          )}
        </section>
      </div>
      {row.mcp !== null && (
        <section>
          <h2 className="mb-2 text-sm font-semibold">MCP metadata</h2>
          <p className="mb-2 text-sm text-muted">Icons and _meta from the MCP server, sent to MCP clients.</p>
          <Json value={row.mcp} label="icons and _meta" />
        </section>
      )}
    </div>
  );
}
