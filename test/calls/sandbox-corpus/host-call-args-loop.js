// expect: sandbox_timeout
export default (args, { callTool }) =>
  callTool("echo", {
    get x() {
      for (;;);
    },
  });
