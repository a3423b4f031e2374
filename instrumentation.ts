/** Runs once when Next starts. Behind a gateway, which runs the jobs, the app starts only what its own requests need. */
export async function register(): Promise<void> {
  // Next also compiles this file for its edge runtime, which has no store; the build replaces this condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { isBehindGateway } = await import("@/lib/http/gateway-secret");
    const { followRequests, startBackground } = await import("@/lib/server/background");
    const { startExport } = await import("@/lib/telemetry/export");
    await startExport();
    if (isBehindGateway()) followRequests();
    else await startBackground();
  }
}
