import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { healthOutput, readyOutput } from "@/lib/contracts/agents/health";

/** Operations that anyone may call. */
export const SERVICE_OPERATIONS = {
  read_health: {
    ...at.get("/api/health"),
    summary: "Check that the process is alive",
    who: "anyone",
    answers: [ok("The process is alive.", healthOutput)],
  },
  read_readiness: {
    ...at.get("/api/ready"),
    summary: "Check that calls can be decided and logged",
    who: "anyone",
    answers: [
      ok(
        "Calls can be decided and logged. `app` says whether the app for people answers; it does not affect the status.",
        readyOutput,
      ),
      {
        status: 503,
        description: "Calls cannot be decided or logged now; `checks` says which part is missing.",
        schema: readyOutput,
      },
    ],
  },
  read_metrics: {
    ...at.get("/api/metrics"),
    summary: "Read the metrics of this process",
    description:
      'For Prometheus. Series of the app that this process forwards to have the label `process="app"`. Requests from the same machine need no credential unless they came through a proxy; others need `METRICS_TOKEN` or a personal access token.',
    who: "anyone",
    helps: ["metrics", "token"],
    answers: [{ status: 200, description: "The metrics in Prometheus' text format 0.0.4.", types: ["text/plain"] }],
    errors: ["unauthenticated"],
  },
  read_api_description: {
    ...at.get("/api/openapi.json"),
    summary: "Read this OpenAPI document",
    description: "The document is the same for every installation, so it needs no credential.",
    who: "anyone",
    headers: ["If-None-Match"],
    answers: [
      { status: 200, description: "An OpenAPI 3.1 document.", types: ["application/json"], etag: true },
      { status: 304, description: "Unchanged.", etag: true },
    ],
  },
} as const satisfies Contracts;
