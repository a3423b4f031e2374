// expect: sandbox_memory sandbox_timeout
const all = [];
export default () => {
  for (;;) all.push(new Error("x".repeat(1000) + all.length));
};
