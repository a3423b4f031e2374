import { quoted } from "@/components/ui/text/quoted";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";

/** The call as a curl line: quoted for a POSIX shell, the key from an environment variable. */
export function toCurl(execution: ExecutionDetail, origin: string): string {
  const body = {
    tool_id: execution.toolId ?? execution.asked,
    ...(execution.arguments === null ? {} : { arguments: execution.arguments }),
    ...(execution.session === null ? {} : { session_id: execution.session }),
  };
  return curlOf(body, origin);
}

/** A call's body (docs/reference/http.md#agent-api) as a curl line. */
export function curlOf(body: object, origin: string): string {
  return [
    `curl -sS ${quoted(`${origin}/api/agents/tools/call`)}`,
    `-H "Authorization: Bearer $QUARTERMASTER_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}
