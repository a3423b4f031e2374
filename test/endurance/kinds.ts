import { stateless } from "@/bench/support/mcp-load";
import type { Kind } from "@/bench/support/traffic";
import { FORBIDDEN, ORDER } from "@/test/endurance/document";
import type { World } from "@/test/endurance/world";

/** The kinds of traffic: every entrance, with every credential, the refused ones included. */
export function kindsOf(world: Pick<World, "key" | "revokedKey" | "issuer">, origin: string): readonly Kind[] {
  const headers = (credential: string) => ({ authorization: `Bearer ${credential}` });
  const call = (tool: string, credential: string, status: number, args: (id: string) => object) => (id: string) => ({
    url: `${origin}/api/agents/tools/call`,
    headers: headers(credential),
    body: JSON.stringify({ tool_id: tool, arguments: args(id) }),
    status,
  });
  const list = (credential: string) => ({
    url: `${origin}/api/agents/tools`,
    headers: headers(credential),
    status: 200,
  });
  const order = (id: string) => ({ id });
  return [
    { name: "list", weight: 2, next: () => list(world.key) },
    { name: "token", weight: 2, next: async () => list(await world.issuer.token()) },
    { name: "order", weight: 5, next: call(ORDER, world.key, 200, order) },
    {
      name: "calculate",
      weight: 2,
      next: call("builtin:calculate", world.key, 200, () => ({ expression: "6 * 7" })),
    },
    {
      name: "mcp",
      weight: 2,
      next: (id) =>
        stateless(
          `${origin}/mcp`,
          { method: "tools/call", params: { name: "order", arguments: { id: `mcp-${id}` } } },
          headers(world.key),
        ),
    },
    { name: "revoked", weight: 2, next: call(ORDER, world.revokedKey, 401, order) },
    { name: "forbidden", weight: 2, next: call(FORBIDDEN, world.key, 404, order) },
  ];
}
