// expect: sandbox_memory sandbox_timeout
export default () => {
  const map = new Map();
  for (let n = 0; ; n++) map.set(n, { n });
};
