import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import schema202012 from "@/test/interop/schema-2020-12.json" with { type: "json" };
import { textResult, type FixtureTool } from "@/test/support/servers/mcp-server";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const RESOURCE = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
} as const;
const PICTURE = { type: "image", data: PNG, mimeType: "image/png" } as const;

const content = (...blocks: CallToolResult["content"]): CallToolResult => ({ content: blocks });

type Schema = NonNullable<FixtureTool["inputSchema"]>;

/** Reports progress of 0, 50 and 100, then answers. */
const inSteps: NonNullable<FixtureTool["run"]> = async (_args, { mcpReq }) => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken !== undefined)
    for (const progress of [0, 50, 100])
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
      });
  return textResult("done");
};

/** The tools whose calls return before they end. */
export const LONG_RUNNING: ReadonlySet<string> = new Set(["slow_compute", "failing_job", "protocol_error_job"]);

/**
 * The tools that the scenarios of the conformance suite list and call, as tools of an MCP server behind Quartermaster.
 *
 * @param change changes the list of the caller who calls `test_trigger_tool_change`
 */
export function conformanceTools(change: () => Promise<void>): Record<string, FixtureTool> {
  return {
    test_simple_text: { run: () => textResult("This is a simple text response for testing.") },
    test_image_content: { run: () => content({ ...PICTURE }) },
    test_audio_content: { run: () => content({ type: "audio", data: WAV, mimeType: "audio/wav" }) },
    test_embedded_resource: { run: () => content({ ...RESOURCE }) },
    test_multiple_content_types: {
      run: () => content({ type: "text", text: "Multiple content types test:" }, { ...PICTURE }, { ...RESOURCE }),
    },
    test_error_handling: { run: () => textResult("This tool intentionally returns an error for testing", true) },
    test_tool_with_progress: { run: inSteps },
    test_streaming_elicitation: { run: inSteps },
    test_logging_tool: {
      run: async (_args, { mcpReq }) => {
        await mcpReq.log("info", "a line that Quartermaster discards");
        return textResult("done");
      },
    },
    test_trigger_tool_change: {
      run: async () => {
        await change();
        return textResult("changed");
      },
    },
    greet: {
      inputSchema: { type: "object", properties: { name: { type: "string" } } },
      run: ({ name }) => textResult(`Hello, ${String(name)}!`),
    },
    slow_compute: {
      inputSchema: { type: "object", properties: { seconds: { type: "number" }, label: { type: "string" } } },
      run: async ({ seconds }, { mcpReq: { signal } }) => {
        await delay(Number(seconds) * 1_000, undefined, { signal, ref: false }).catch(() => {});
        return textResult("computed");
      },
    },
    // Asks nobody for confirmation: an upstream server cannot reach the person at the client.
    confirm_delete: { run: () => textResult("deleted") },
    failing_job: { run: () => textResult("It failed.", true) },
    protocol_error_job: {
      run: () => {
        throw new Error("It broke.");
      },
    },
    json_schema_2020_12_tool: { inputSchema: schema202012 as Schema, run: () => textResult("ok") },
  };
}
