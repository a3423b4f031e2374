// expect: sandbox_timeout
export default (args, { callTool }) => {
  callTool("slow");
  for (;;);
};
