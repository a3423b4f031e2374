// expect: sandbox_memory sandbox_error
export default () => {
  const all = [];
  for (;;) all.push(new SharedArrayBuffer(4e6));
};
