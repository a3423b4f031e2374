/** Runs once when Next starts. Behind a gateway, which runs the jobs, the app does what its own requests need. */
export async function register(): Promise<void> {
  // Next compiles this file for its edge runtime too, where there is no store; it replaces the condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { isBehindGateway } = await import("@/lib/http/gateway-secret");
    const { followRequests, startBackground } = await import("@/lib/server/background");
    const { startExport } = await import("@/lib/telemetry/export");
    await startExport();
    if (isBehindGateway()) followRequests();
    else await startBackground();
  }
}
