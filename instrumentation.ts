/**
 * Runs once when Next starts. Behind bin/server.ts, which does an instance's background work itself, only the connections
 * to MCP servers that admin routes open are followed here.
 */
export async function register(): Promise<void> {
  // Next compiles this file for its edge runtime too, where there is no store; it replaces the condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { env } = await import("@/lib/env");
    const { startBackground } = await import("@/lib/server/background");
    const { followToolChanges } = await import("@/lib/sources/mcp/follow-changes");
    const { startExport } = await import("@/lib/telemetry/export");
    await startExport();
    if (env.BACKGROUND === "on") await startBackground();
    else followToolChanges();
  }
}
