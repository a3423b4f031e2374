// expect: sandbox_memory
const all = [];
export default () => {
  for (;;) all.push(new Uint8Array(1e6).fill(1));
};
