// Preloaded into servers that would listen on every interface: they listen on this machine alone.
const { Server } = require("node:net");

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  // Express also calls the callback on an error, so the servers' own lines do not tell whether they listen.
  this.once("listening", () => console.error("Bound to the loopback address"));
  const done = rest.find((argument) => typeof argument === "function");
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, done);
};
