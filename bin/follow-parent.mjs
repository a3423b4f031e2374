// Preloaded into the server: it must not outlive the process that started it, however that one ended,
// or the next start would find its port taken.
process.on("disconnect", () => process.exit(0));
