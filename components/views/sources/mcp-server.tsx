import { useGet } from "@/components/resource/use-get";
import { bind } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { ReferenceField } from "@/components/resource/fields/choice-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import type { Input } from "@/lib/resources";
import type { McpCommands } from "@/lib/contracts/sources/mcp-commands";

/** The location of an MCP server: a URL, or a command from the operator's list. */
export function McpServer({ draft }: { draft: Draft<Input<"sources">> }) {
  const allowed = useGet<McpCommands>(["mcp-commands"], "/api/admin/mcp-commands");
  const { command } = draft.value;
  const commands = allowed.data?.items ?? [];
  const options = commands.map((value) => ({ value, label: value }));
  const isForbidden = command !== null && allowed.data !== undefined && !commands.includes(command);
  return (
    <>
      <OptionalTextField
        {...bind(draft, "url")}
        label="URL"
        hint="The Streamable HTTP address of the server"
        placeholder="https://mcp.example.com/mcp"
        mono
      />
      {commands.length === 0 && command === null ? (
        <p className="text-xs text-muted">
          To let Quartermaster start the server itself (stdio), add its command to the environment variable{" "}
          <code className="font-mono">MCP_STDIO_ALLOW</code> and restart Quartermaster.
        </p>
      ) : (
        <ReferenceField
          {...bind(draft, "command")}
          label="Command"
          hint={
            isForbidden
              ? "Not allowed here. Add the exact command to the environment variable MCP_STDIO_ALLOW and restart"
              : "Instead of a URL. Starts the server on this machine with an empty environment"
          }
          options={isForbidden ? [...options, { value: command, label: command }] : options}
        />
      )}
    </>
  );
}
