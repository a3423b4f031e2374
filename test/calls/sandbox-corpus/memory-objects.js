// expect: sandbox_memory sandbox_timeout
const all = [];
export default () => {
  for (;;) all.push({ n: all.length });
};
