import { singleton } from "@/lib/process/singleton";
import { readProcess } from "@/lib/telemetry/process-metrics";
import { Registry } from "@/lib/telemetry/registry";

/** Milliseconds. Small bounds, because decisions take microseconds and slow ones must show. */
const RESOLUTION_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100];
/** Milliseconds: from a built-in tool to the longest allowed run of a tool. */
const CALL_BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000];

/**
 * The metrics of this process (docs/reference/execution.md#telemetry). docs/telemetry.md explains each metric and its
 * labels.
 */
export const metrics = singleton("Metrics", make);

function make() {
  const registry = new Registry();
  registry.reads("process", readProcess);
  return {
    registry,
    resolutions: registry.counter("agent_access_resolutions", "Times that a caller's tools were resolved.", ["cached"]),
    denied: registry.counter("agent_access_denied", "Lists for callers that no policy matches.", ["reason"]),
    refusals: registry.counter("agent_refusals", "Refused calls and refused credentials.", ["reason"]),
    toolsResolved: registry.counter("agent_tools_resolved", "Visible tools, summed over all resolutions.", []),
    resolutionTime: registry.histogram(
      "agent_resolution_time",
      "Milliseconds that a resolution took.",
      ["cached"],
      RESOLUTION_BOUNDS,
    ),
    calls: registry.counter("agent_tool_calls", "Calls that ended, refused ones too.", [
      "tool",
      "source",
      "door",
      "status",
    ]),
    errors: registry.counter("agent_tool_errors", "Calls that did not succeed, by error code.", [
      "tool",
      "source",
      "code",
    ]),
    outputWarnings: registry.counter(
      "agent_tool_output_warnings",
      "Calls that succeeded with an answer that does not match the tool's output schema.",
      ["tool", "source"],
    ),
    toolTime: registry.histogram(
      "agent_tool_duration",
      "Milliseconds that calls spent in their tool.",
      ["tool", "source"],
      CALL_BOUNDS,
    ),
    gatewayTime: registry.histogram(
      "agent_gateway_duration",
      "Milliseconds of calls that were our own.",
      [],
      CALL_BOUNDS,
    ),
    openStreams: registry.gauge("agent_open_streams", "Event streams that are open in this process.", ["kind"]),
    jobRuns: registry.counter("agent_job_runs", "Runs of background jobs in this process.", ["name", "status"]),
    tokensIssued: registry.counter("agent_oauth_grants", "Tokens that the authorization server issued.", ["grant"]),
    signInRefusals: registry.counter("agent_oauth_refusals", "Requests that the authorization server refused.", [
      "reason",
    ]),
    linkRefreshes: registry.counter("agent_link_refreshes", "Refreshes of linked accounts' tokens.", [
      "source",
      "outcome",
    ]),
  };
}
