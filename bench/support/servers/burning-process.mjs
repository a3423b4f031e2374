// Burns a core for ten seconds and shares nothing with the server: the cost of any other busy process on the machine.
const until = performance.now() + 10_000;
while (performance.now() < until);
process.exit(0);
