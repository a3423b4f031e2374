// expect: sandbox_error sandbox_timeout
export default (args, { callTool }) => Promise.all(Array.from({ length: 2000 }, () => callTool("echo")));
