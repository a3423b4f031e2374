// expect: sandbox_memory sandbox_timeout
const all = [];
export default () => {
  for (;;) all.push("x".repeat(1e5) + all.length);
};
