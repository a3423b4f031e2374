import { beforeAll, expect, it } from "vitest";
import { save, supportDocument } from "@/test/api/agents-world";
import { statelessMessage } from "@/test/api/mcp-world";
import { connectAs, useGateway } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// The challenges of the resource server (RFC 6750, 3; RFC 9728, 5.1). The code `invalid_request` cannot occur: a credential
// that is malformed is `invalid_token`, so that its client asks for a new one.

useDatabase();

beforeAll(async () => {
  const document = supportDocument() as { tools: { id: string }[] };
  const tools = document.tools.map((tool) =>
    tool.id === "builtin:calculate" ? { ...tool, requiredScopes: ["math"] } : tool,
  );
  await save({ ...document, tools });
});
const gateway = useGateway();

const CALL = { name: "calculate", arguments: { expression: "6 * 7" } };
const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;

/** The status and the parameters of the challenge with which a path answers a call. */
async function call(
  path: string,
  authorization: string | null,
): Promise<{ status: number; parameters: Record<string, string> }> {
  const isMcp = path.startsWith("/mcp");
  const answered = await gateway.send(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isMcp && { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "calculate" }),
      ...(authorization !== null && { authorization }),
    },
    body: JSON.stringify(isMcp ? statelessMessage("tools/call", CALL) : CALL),
  });
  await answered.text();
  const challenge = answered.headers.get("www-authenticate") ?? "";
  expect(challenge).toMatch(/^Bearer realm="quartermaster"(?:, [a-z_]+="[^"]*")*$/);
  const parameters = [...challenge.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]);
  return { status: answered.status, parameters: Object.fromEntries(parameters) as Record<string, string> };
}

it.each<readonly [string, number, string | undefined, string, () => Promise<string | null>]>([
  ["without a credential there is no code", 401, undefined, "", async () => null],
  ["a token in the address is no credential", 401, undefined, "?access_token=x", async () => null],
  ["no token", 401, "invalid_token", "", async () => "Bearer"],
  ["another scheme", 401, "invalid_token", "", async () => "Basic eDp5"],
  ["an unknown token", 401, "invalid_token", "", async () => "Bearer x.y.z"],
  [
    "a token with too few scopes",
    403,
    "insufficient_scope",
    "",
    async () => `Bearer ${(await connectAs(gateway, "reader")).access}`,
  ],
])("%s: %i %s", async (_what, status, error, query, credential) => {
  const authorization = await credential();
  const [mcp, rest] = await Promise.all(
    ["/mcp", "/api/agents/tools/call"].map((path) => call(`${path}${query}`, authorization)),
  );
  const scope = error === "insufficient_scope" ? "tools math" : undefined;
  for (const answered of [mcp, rest])
    expect([answered?.status, answered?.parameters["error"], answered?.parameters["scope"]]).toEqual([
      status,
      error,
      scope,
    ]);
  expect(mcp?.parameters["resource_metadata"]).toBe(METADATA);
});
