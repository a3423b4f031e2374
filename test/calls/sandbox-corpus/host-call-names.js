// expect: ok 8
export default async (args, { callTool }) => {
  let refused = 0;
  for (const name of [null, undefined, 1, {}, [], Symbol("x"), () => "x", "x".repeat(1e6)])
    try {
      await callTool(name);
    } catch {
      refused++;
    }
  return refused;
};
