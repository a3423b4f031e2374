// Preloaded into the server, so that it ends with the process that started it, even after kill -9. A server that lived on
// would hold the port of the next start.
process.on("disconnect", () => process.exit(0));
