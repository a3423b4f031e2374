// expect: ok 5
export default async (args, { callTool }) => {
  const self = {};
  self.self = self;
  let refused = 0;
  for (const given of [self, 1n, () => {}, Symbol("x"), "x".repeat(300000)])
    try {
      await callTool("echo", given);
    } catch {
      refused++;
    }
  return refused;
};
