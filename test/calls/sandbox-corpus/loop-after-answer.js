// expect: sandbox_timeout
export default async (args, { callTool }) => {
  await callTool("echo");
  for (;;);
};
