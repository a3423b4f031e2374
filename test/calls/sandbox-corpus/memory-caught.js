// expect: sandbox_memory sandbox_timeout
const all = [];
export default () => {
  for (;;)
    try {
      for (;;) all.push(new Uint8Array(1e5).fill(1));
    } catch {}
};
