import type { Contracts } from "@/lib/contracts/operations/operation";
import { healthOutput, readyOutput } from "@/lib/contracts/agents/health";

/** Operations that anyone may call. */
export const SERVICE_OPERATIONS = {
  read_health: {
    method: "get",
    path: "/api/health",
    chapter: "service",
    summary: "Read whether the process answers",
    who: "anyone",
    answers: [{ status: 200, description: "It does.", schema: healthOutput }],
  },
  read_readiness: {
    method: "get",
    path: "/api/ready",
    chapter: "service",
    summary: "Read whether calls can be decided and logged",
    who: "anyone",
    answers: [
      {
        status: 200,
        description: "They can. `app` says whether people are served too, and fails nothing.",
        schema: readyOutput,
      },
      { status: 503, description: "Not now; `checks` says what is not there.", schema: readyOutput },
    ],
  },
  read_metrics: {
    method: "get",
    path: "/api/metrics",
    chapter: "service",
    summary: "Read what this process counted",
    description:
      'For Prometheus; series of the app that this process forwards to have the label `process="app"`. Processes of the same machine are answered as they are, unless a proxy stands in front; others need `METRICS_TOKEN` or a personal access token.',
    who: "anyone",
    helps: ["metrics", "token"],
    answers: [{ status: 200, description: "Prometheus' text format 0.0.4.", types: ["text/plain"] }],
    errors: ["unauthenticated"],
  },
  read_api_description: {
    method: "get",
    path: "/api/openapi.json",
    chapter: "service",
    summary: "Read this description",
    description: "It says what every installation answers, and nothing of this one: no credential is needed.",
    who: "anyone",
    headers: ["If-None-Match"],
    answers: [
      { status: 200, description: "An OpenAPI 3.1 document.", types: ["application/json"], etag: true },
      { status: 304, description: "Unchanged.", etag: true },
    ],
  },
} as const satisfies Contracts;
