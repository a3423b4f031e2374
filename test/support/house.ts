/** The folders that one folder may import, as data for the architecture test. */
export interface Layer {
  /** Folder or file, from the root; the longest that fits a file is its layer. */
  readonly folder: string;
  /** Folders and files of ours. */
  readonly ours: readonly string[];
  /** Packages by name (subpaths included, unless it ends in `$`), `node:…` by name; `"*"` = any. */
  readonly packages: readonly string[];
}

const CORE = ["lib/access", "lib/errors.ts", "lib/env.ts"];
const SHAPES = ["lib/access", "lib/resources", "lib/contracts", "lib/manifest", "lib/config"];
const NODE = [
  "node:crypto",
  "node:net",
  "node:dns",
  "node:stream",
  "node:util",
  "node:zlib",
  "node:timers",
  "node:events",
];
const EDGE = [
  "lib/auth/client-address.ts",
  "lib/auth/agents",
  "lib/outbound",
  "lib/audit",
  "lib/store",
  "lib/telemetry",
  "lib/resources",
  "lib/contracts",
  ...CORE,
];
const WORK = ["lib/sources", "lib/calls", "lib/sandbox", "lib/threads", "lib/http", ...SHAPES, ...EDGE];

/** Every folder with code. A folder that is not here fails the test: decide first what it may import. */
export const LAYERS: readonly Layer[] = [
  { folder: "lib/errors.ts", ours: [], packages: ["zod"] },
  { folder: "lib/env.ts", ours: [], packages: ["zod"] },
  { folder: "lib/access", ours: ["lib/access"], packages: ["zod", "re2js", "node:crypto"] },
  { folder: "lib/resources", ours: SHAPES, packages: ["zod"] },
  { folder: "lib/contracts", ours: SHAPES, packages: ["zod"] },
  { folder: "lib/manifest", ours: SHAPES, packages: ["zod"] },
  { folder: "lib/config", ours: SHAPES, packages: ["zod", "yaml", "canonicalize", "node:crypto"] },
  { folder: "lib/contracts/operations", ours: ["lib/errors.ts", ...SHAPES], packages: ["zod"] },
  {
    folder: "lib/http",
    ours: ["lib/http", "lib/access/model/storable.ts", "lib/telemetry", "lib/errors.ts", "lib/env.ts"],
    packages: ["zod", ...NODE],
  },
  {
    folder: "lib/telemetry",
    ours: ["lib/telemetry", "lib/errors.ts", "lib/env.ts"],
    packages: ["zod", "pino", "@opentelemetry", "node:perf_hooks", ...NODE],
  },
  { folder: "lib/threads", ours: ["lib/threads", "lib/errors.ts"], packages: ["node:path", "node:worker_threads"] },
  {
    folder: "lib/sandbox",
    ours: ["lib/sandbox", "lib/telemetry", "lib/errors.ts"],
    packages: [
      "quickjs-emscripten-core",
      "@jitl/quickjs-wasmfile-release-sync",
      "node:fs",
      "node:module",
      "node:path",
      "node:worker_threads",
    ],
  },
  {
    folder: "lib/store",
    ours: ["lib/store", "lib/sandbox", "lib/threads", "lib/resources", "lib/contracts", "lib/config", ...CORE],
    packages: [
      "node:async_hooks",
      "@prisma/client",
      "@prisma/adapter-pg",
      "pg",
      "pg-copy-streams",
      "zod",
      "pg-boss",
      "canonicalize",
      "@node-rs/argon2",
      ...NODE,
    ],
  },
  { folder: "lib/auth/client-address.ts", ours: CORE, packages: NODE },
  { folder: "lib/auth/agents", ours: EDGE, packages: ["jose", "zod", ...NODE] },
  { folder: "lib/outbound", ours: EDGE, packages: ["undici", "ipaddr.js", "aws4", "zod", ...NODE] },
  { folder: "lib/audit", ours: EDGE, packages: ["canonicalize", "zod", "node:fs/promises", ...NODE] },
  {
    folder: "lib/auth/people",
    ours: ["lib/auth/people", ...EDGE],
    packages: ["next-auth", "next", "jose", "zod", ...NODE],
  },
  {
    folder: "lib/admin",
    ours: ["lib/admin", "lib/threads", "lib/manifest", "lib/config", ...EDGE],
    packages: ["zod", ...NODE],
  },
  { folder: "lib/sources", ours: WORK, packages: ["*"] },
  { folder: "lib/calls", ours: WORK, packages: ["*"] },
  { folder: "lib/events", ours: ["lib/events", ...WORK], packages: NODE },
  { folder: "lib/agents", ours: ["lib/agents", "lib/events", ...WORK], packages: ["*"] },
  { folder: "lib/server", ours: ["lib/server", "lib/agents", "lib/events", ...WORK], packages: ["*"] },
  {
    folder: "components",
    ours: ["components", "lib/access", "lib/resources", "lib/contracts", "lib/manifest"],
    packages: [
      "react",
      "react-dom",
      "marked",
      "next$",
      "next/dynamic",
      "next/font",
      "next/image",
      "next/link",
      "next/navigation",
      "next-auth/react",
      "nuqs",
      "zod",
      "clsx",
      "diff",
      "class-variance-authority",
      "tailwind-merge",
      "lucide-react",
      "geist",
      "react-hook-form",
      "@base-ui/react",
      "@codemirror",
      "@dagrejs/dagre",
      "@lezer/highlight",
      "@rjsf",
      "@xyflow/react",
      "@cfworker/json-schema",
      "@hookform/resolvers",
      "@tanstack/react-query",
      "@tanstack/react-table",
      "@tanstack/react-virtual",
    ],
  },
  { folder: "app", ours: ["app", "components", "lib"], packages: ["*"] },
  { folder: "bin", ours: ["bin", "lib"], packages: ["*"] },
  { folder: "proxy.ts", ours: ["lib"], packages: ["*"] },
  { folder: "instrumentation.ts", ours: ["lib"], packages: ["*"] },
];

/** Modules that a folder must not import, directly or through other modules. */
export interface Ban {
  readonly folder: string;
  /** Folders of ours, packages, or `node:` for all of Node. */
  readonly never: readonly string[];
  readonly why: string;
}

export const BANS: readonly Ban[] = [
  {
    folder: "lib/server",
    never: ["next", "next-auth", "react", "react-dom", "server-only", "lib/auth/people", "components", "app"],
    why: "the agent plane runs without Next",
  },
  {
    folder: "lib/agents",
    never: ["next", "next-auth", "react", "react-dom", "server-only", "lib/auth/people", "components", "app"],
    why: "the agent plane runs without Next",
  },
  {
    folder: "components",
    never: ["node:", "@prisma/client", "pg", "lib/store", "lib/auth", "lib/calls", "lib/outbound", "lib/env.ts", "app"],
    why: "components run in the browser",
  },
  {
    folder: "lib/access",
    never: ["next", "react", "@prisma/client", "pg", "undici", "lib/env.ts", "lib/store"],
    why: "the decision core is pure",
  },
];

/** Folders whose functions depend on their arguments only: no clock, chance, network or environment. */
export const PURE: readonly string[] = ["lib/access", "lib/resources", "lib/contracts", "lib/manifest", "lib/config"];

/** Lines; beyond it a file holds more than one thing. 250 is where to start thinking. */
export const FILE_ALARM = 350;
