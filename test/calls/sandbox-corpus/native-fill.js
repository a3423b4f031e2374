// expect: sandbox_timeout
export default () => {
  const bytes = new Uint8Array(8e6);
  for (;;) bytes.fill(1).sort();
};
